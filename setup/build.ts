import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { printInfo, root } from './root.mjs'

const stamp = join(root, 'dist', '.built-from')

/** Everything that affects the build. */
const sources = {
  folders: ['service', 'renderer', 'languages', 'electron', 'cli', 'resources', 'sdk/src'],
  files: ['package-lock.json', 'package.json', 'tsconfig.json', 'vite.config.ts'],
}
const outputs = [
  'dist/service/main.js',
  'dist/service/worker.js',
  'dist/service/thread-entry.js',
  'dist/cli/main.js',
  'dist/renderer/index.html',
  'dist/electron/main.js',
  'dist/preload/preload.cjs',
]

/** SHA-256 over the names and contents of the sources, without tests. Takes some tens of milliseconds. */
function sourcesHash(): string {
  const hash = createHash('sha256')
  const found = sources.folders.flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }),
  )
  const below = found
    .filter(entry => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
  for (const file of [...sources.files.map(name => join(root, name)), ...below.toSorted()]) {
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

/** Runs the build, whether or not it is needed. @returns whether it succeeded */
export async function build(): Promise<boolean> {
  const before = sourcesHash()
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) return false
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(stamp, before)
  return true
}

/** Builds if there is no build or the sources have changed since. */
export async function ensureBuild(): Promise<void> {
  const complete = [stamp, ...outputs.map(path => join(root, path))].every(path => existsSync(path))
  if (complete && readFileSync(stamp, 'utf8') === sourcesHash()) return
  printInfo('Building…')
  if (!(await build())) throw new Error('The build failed; the messages above say where.')
}
