import {
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  type StdioOptions,
  spawn,
} from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** A run of the command line: what it printed, and its exit code. */
export interface Run {
  code: number
  stdout: string
  stderr: string
  lines: Record<string, unknown>[]
}

/** Starts the command line in a folder, with a data folder of its own. */
export function start(
  home: string,
  folder: string,
  words: readonly string[],
  stdio: StdioOptions = 'pipe',
): ChildProcess {
  const main = join(import.meta.dirname, '..', 'main.ts')
  return spawn(process.execPath, [main, ...words], {
    cwd: folder,
    stdio,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      // The recycle bin is in the home folder.
      HOME: home,
      REFILE_HOME: home,
    },
  })
}

/** Runs it to its end. */
export async function run(
  home: string,
  folder: string,
  words: readonly string[],
  input: string | Buffer = '',
): Promise<Run> {
  const child = start(home, folder, words) as ChildProcessWithoutNullStreams
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ])
  const lines = stdout.split('\n').filter(line => line.startsWith('{'))
  return { code, stdout, stderr, lines: lines.map(line => JSON.parse(line)) }
}
