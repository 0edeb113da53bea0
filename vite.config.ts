import { builtinModules } from 'node:module'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const builtin = ['electron', ...builtinModules, /^node:/]

/** One config builds everything that runs: the page, the service with its worker, and the desktop shell. */
export default defineConfig({
  root: at('renderer'),
  base: '/',
  plugins: [react()],
  builder: {},
  environments: {
    client: { build: { outDir: at('dist/renderer'), emptyOutDir: true, target: 'chrome130' } },
    service: {
      consumer: 'server',
      resolve: { conditions: ['node'], external: true },
      build: {
        outDir: at('dist/service'),
        emptyOutDir: true,
        target: 'node24',
        minify: false,
        sourcemap: true,
        copyPublicDir: false,
        rolldownOptions: {
          input: { main: at('service/main.ts'), worker: at('service/workers/entry.ts') },
          external: builtin,
          output: { format: 'es', entryFileNames: '[name].js' },
        },
      },
    },
  },
  test: {
    root: at('.'),
    include: ['{service,renderer,electron,setup}/**/*.test.{ts,tsx}'],
    environment: 'node',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    alias: { electron: at('electron/test/fake-electron.ts') },
  },
})
