import { globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { EnvironmentOptions, Plugin } from 'vite'
import { configDefaults, defineConfig } from 'vitest/config'
import { filesByProject, SlowFilesFirst } from './testing/test-order.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const builtin = ['electron', ...builtinModules, /^node:/]

/** Packages built in, since they belong to the SDK or the page and are not installed beside a package. */
const bundled = ['eventsource-parser', 'intl-messageformat', /^@formatjs\//]

/** Builds scripts into a folder of dist for Node or Electron, with all other packages left outside. */
const forNode = (
  folder: string,
  scripts: Record<string, string>,
  format: 'es' | 'cjs' = 'es',
): EnvironmentOptions => ({
  consumer: 'server',
  resolve: { conditions: ['node'], external: true, noExternal: bundled },
  build: {
    outDir: at(`dist/${folder}`),
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    sourcemap: true,
    copyPublicDir: false,
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(scripts).map(([name, path]) => [name, at(path)])),
      external: builtin,
      output: {
        format,
        entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].js',
        // All in one folder, so that scripts started by path are beside what starts them.
        chunkFileNames: '[name]-[hash].js',
      },
    },
  },
})

/** Says that a folder holds ES modules where packaging takes it out of reach of the project's package.json. */
const markAsModules: Plugin = {
  name: 'mark-as-modules',
  applyToEnvironment: ({ name }) => name === 'service' || name === 'cli',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "module" }\n' })
  },
}

/** Puts the schemas of the databases beside the scripts that read them: the service's, and the shell's, which starts a service. */
const shipSql: Plugin = {
  name: 'ship-sql',
  applyToEnvironment: ({ name }) => name === 'service' || name === 'main',
  generateBundle() {
    const store = at('service/store')
    for (const fileName of globSync('{sql,sqlite,postgres}/*.sql', { cwd: store }))
      this.emitFile({
        type: 'asset',
        fileName: fileName.replaceAll('\\', '/'),
        source: readFileSync(join(store, fileName)),
      })
  },
}

/** What loads the works of converters, and the readers and writers of documents. */
const WORKS = /\/service\/convert\/(?:converters\/|engines\/documents\/index\.ts)/

/**
 * Builds all packages into the desktop shell, since Electron checks the archive that it is in and not what is unpacked, and leaves out
 * the works of converters, which run in workers.
 */
const shellAlone: Plugin = {
  name: 'shell-alone',
  // Vitest would take it as a setting for tests.
  apply: 'build',
  enforce: 'pre',
  applyToEnvironment: environment => environment.name === 'main',
  configEnvironment(name, config) {
    if (name === 'main') Object.assign(config.resolve ?? {}, { external: [], noExternal: true })
  },
  resolveId: (_id, importer, { kind }) =>
    kind === 'dynamic-import' && WORKS.test(importer ?? '') ? '\0work' : null,
  load: id => (id === '\0work' ? "throw new Error('Works run in workers.')" : null),
}

const testFiles = filesByProject('{service,renderer,electron,setup,cli,sdk,testing}/**/*.test.{ts,tsx}')
// Sweeps and long runs, which `npm run test:full` adds.
const testsExcluded = [
  ...configDefaults.exclude,
  ...(process.env.REFILE_TESTS === 'full' ? [] : ['**/*.full.test.ts']),
]

/** One config builds everything that runs: the page, the service with its worker, and the desktop shell. */
export default defineConfig({
  root: at('renderer'),
  base: '/',
  plugins: [react(), markAsModules, shipSql, shellAlone],
  builder: {},
  environments: {
    client: {
      build: {
        outDir: at('dist/renderer'),
        emptyOutDir: true,
        target: 'chrome130',
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: [at('renderer/index.html'), at('renderer/reference.html')],
          // What the page begins with is one request instead of fifty; the reference shares no module with it.
          output: {
            codeSplitting: {
              groups: [{ name: 'first', tags: ['$initial'], test: /^(?!.*(swagger|reference))/ }],
            },
          },
        },
      },
    },
    service: forNode('service', {
      main: 'service/main.ts',
      worker: 'service/sandbox/workers/entry.ts',
      'thread-entry': 'service/convert/engines/common/thread-entry.ts',
    }),
    cli: forNode('cli', { main: 'cli/main.ts' }),
    main: forNode('electron', { main: 'electron/main.ts' }),
    // A sandboxed preload script can only be CommonJS.
    preload: forNode('preload', { preload: 'electron/preload.ts' }, 'cjs'),
  },
  test: {
    root: at('.'),
    // Half the processor time of a light file is the start of its process and loading what it tests.
    projects: Object.entries(testFiles).map(([name, include]) => ({
      extends: true,
      test: { name, isolate: name === 'alone', include, exclude: testsExcluded },
    })),
    environment: 'node',
    // Three more than there are cores: a test often waits for programs it started or for a moment to pass, and a core would lie idle.
    maxWorkers: availableParallelism() + 3,
    sequence: { sequencer: SlowFilesFirst },
    // Judges run beside each other; one that waits for its own threads takes the other's processor. Those in Java are over before
    // its optimising compiler and its parallel collector pay off: with them EPUBCheck takes more than twice the processor time. Debian's
    // ffmpeg links LAPACK, and spends a third of its start on binding OpenBLAS where that is the one installed.
    // Nor do programs come from elsewhere than the judges do: a shim that picks a version starts several shells each time.
    env: {
      ...(process.platform === 'linux' && {
        PATH: [dirname(process.execPath), '/usr/bin', process.env.PATH].join(delimiter),
      }),
      OMP_NUM_THREADS: '1',
      JDK_JAVA_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC',
      LD_LIBRARY_PATH: globSync('/usr/lib/*-linux-gnu/{blas,lapack}').join(delimiter),
      NODE_COMPILE_CACHE: join(tmpdir(), 'refile-compile'),
      REFILE_TEST_CACHE: join(tmpdir(), 'refile-made'),
      REFILE_TEST_JUDGES: join(tmpdir(), `refile-judges-${process.pid}.sock`),
    },
    globalSetup: [at('testing/compile-cache.ts'), at('testing/java-judges.ts')],
    setupFiles: at('testing/temporary-folder.ts'),
    // A race is a failure: what passes when it is tried again is not what was promised.
    retry: 0,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A busy machine takes its time to start a process; who waits for longer than a test needs loses nothing.
    expect: { poll: { timeout: 30_000 } },
    alias: { electron: at('electron/test/fake-electron.ts') },
  },
})
