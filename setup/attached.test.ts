import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { testFull } from '../testing/describe-full.ts'
import { isAlive } from '../testing/servers/is-alive.ts'
import { root } from './root.mjs'

const folder = mkdtempSync(join(tmpdir(), 'refile-attached-'))
const attached = new URL('attached.mjs', import.meta.url).href

/** A script that runs `child` attached to itself, as `npm run serve` runs the service. */
function script(name: string, child: string, options: { graceMs?: number } = {}): string {
  const childFile = join(folder, `${name}-child.mjs`)
  writeFileSync(childFile, child)
  const file = join(folder, `${name}.mjs`)
  writeFileSync(
    file,
    `import { runAttached } from '${attached}'
     process.exitCode = await runAttached(process.execPath, [${JSON.stringify(childFile)}], ${JSON.stringify(options)})`,
  )
  return file
}

/** Prints its pid and stops like the service. */
const service = `
  const stop = () => process.exit(7)
  process.on('SIGTERM', stop).on('disconnect', stop)
  console.log(process.pid)
  setInterval(() => {}, 1000)`

testFull('npm start says which options it has', async () => {
  const env = { ...process.env, npm_lifecycle_event: '', DISPLAY: '', WAYLAND_DISPLAY: '' }
  const start = [join(root, 'setup', 'start.mjs'), '--help']
  const { stdout } = await promisify(execFile)(process.execPath, start, { env })
  expect(stdout).toMatch(/^Runs the service[\s\S]* --home /)
})

const started: ChildProcess[] = []

/** Starts a command line and resolves with the pid of the service at its end. */
async function start(command: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
  })
  started.push(child)
  const exit = new Promise<number | null>(resolve => child.once('exit', resolve))
  const pid = await new Promise<number>(resolve => child.stdout?.once('data', data => resolve(Number(data))))
  return { child, pid, exit }
}

const outsideNpm = { npm_lifecycle_event: '' }

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(process.platform === 'win32')('an attached child', () => {
  test('gets the signal, and its exit code is passed on', async () => {
    const { child, pid, exit } = await start(process.execPath, [script('signal', service)], outsideNpm)
    child.kill('SIGTERM')
    expect(await exit).toBe(7)
    expect(isAlive(pid)).toBe(false)
  })

  test('ended by a signal, has the exit code that shells use', async () => {
    const { pid, exit } = await start(process.execPath, [script('killed', service)], outsideNpm)
    process.kill(pid, 'SIGKILL')
    expect(await exit).toBe(137)
  })

  testFull('stops when its parent is killed', async () => {
    const { child, pid } = await start(process.execPath, [script('parent', service)], outsideNpm)
    child.kill('SIGKILL')
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  test('stops when whoever started its parent is gone', async () => {
    const { child, exit } = await start(process.execPath, [script('channel', service)], outsideNpm)
    child.disconnect()
    expect(await exit).toBe(7)
  })

  test('is killed when it does not stop in time', async () => {
    const deaf = `process.on('SIGTERM', () => {}); console.log(process.pid); setInterval(() => {}, 1000)`
    const { child, exit } = await start(
      process.execPath,
      [script('deaf', deaf, { graceMs: 100 })],
      outsideNpm,
    )
    child.kill('SIGTERM')
    expect(await exit).toBe(137)
  })

  if (process.platform === 'linux')
    testFull('stops when npm is killed, although there is a shell in between', async () => {
      // A program in place of npm, which runs the script through a shell.
      const npm = join(folder, 'fake-npm.mjs')
      const line = `"${process.execPath}" "${script('shell', service)}"; true`
      writeFileSync(
        npm,
        `import { spawn } from 'node:child_process'
       spawn('sh', ['-c', ${JSON.stringify(line)}], { stdio: 'inherit' })`,
      )
      const { child, pid } = await start(process.execPath, [npm], { npm_lifecycle_event: 'serve' })
      child.kill('SIGKILL')
      await expect.poll(() => isAlive(pid)).toBe(false)
    })
})
