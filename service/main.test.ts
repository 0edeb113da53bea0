import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { testFull } from '../testing/describe-full.ts'
import { few, isFull } from '../testing/fixtures/full.ts'
import { json } from '../testing/service.ts'
import { readArguments } from './host/arguments.ts'
import { signIn } from './host/owner.ts'
import { loadConfig, readSettings, SettingError } from './shared/config.ts'

const main = join(import.meta.dirname, 'main.ts')

const tellDrivers = {
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, '..', 'testing', 'list-drivers.ts'))}`,
  REFILE_LOG_LEVEL: 'silent',
}

interface Ready {
  url: string
  pid: number
  apiKey?: string
  pageUrl?: string
}

async function newHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'refile-main-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  return home
}

async function run(args: string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [main, ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = new Promise<number | null>(resolve => child.once('exit', resolve))
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', chunk => {
    output.stdout += chunk
  })
  child.stderr.on('data', chunk => {
    output.stderr += chunk
  })
  const ready = async (): Promise<Ready> => {
    await expect.poll(() => output.stdout).toContain('\n')
    return JSON.parse(output.stdout) as Ready
  }
  return { child, exited, output, ready }
}

test('prints one line of JSON when ready, logs to stderr, stops on SIGHUP; the next key replaces the printed one', async () => {
  const home = await newHome()
  const { child, exited, output, ready } = await run(['--port', '0', '--home', home, '--print-key'], {
    REFILE_DRAIN_SECONDS: '60',
  })
  const { url, pid, apiKey = '' } = await ready()
  expect(pid).toBe(child.pid)
  expect(output.stdout.split('\n')).toEqual([JSON.stringify({ url, pid, apiKey }), ''])
  const headers = { 'x-service-api-key': apiKey }
  expect(await json(fetch(`${url}/convert/entitlements/me`, { headers }))).toMatchObject({
    totalCredits: 500,
  })
  expect(JSON.parse(await readFile(join(home, 'service.json'), 'utf8'))).toEqual({ url, pid })
  expect((await stat(join(home, 'service.json'))).mode & 0o777).toBe(0o600)

  child.kill('SIGHUP')
  // A stop that took too long would be forced, with code 1.
  expect(await exited).toBe(0)
  const lines = output.stderr.trim().split('\n')
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
  expect(output.stderr).not.toContain(apiKey)
  await expect(stat(join(home, 'service.json'))).rejects.toThrow('ENOENT')
  if (!isFull) return

  const again = await (await run(['--port', '0', '--home', home, '--print-key'])).ready()
  const statusOf = async (key = '') => {
    const answer = await fetch(`${again.url}/convert/entitlements/me`, {
      headers: { 'x-service-api-key': key },
    })
    return answer.status
  }
  expect(await Promise.all([apiKey, again.apiKey].map(statusOf))).toEqual([401, 200])
})

/** Makes a service fail in ways that nothing catches, at signals it does not use itself. */
const failing = `data:text/javascript,${encodeURIComponent(`
  import { PassThrough } from 'node:stream'
  process.on('SIGUSR2', () => {
    Promise.reject(new Error('a stray promise'))
    const ended = new PassThrough()
    ended.end()
    ended.write('late')
  })
  process.on('SIGWINCH', () => setImmediate(() => { throw new TypeError('a stray error') }))
`)}`

testFull(
  'an error that nothing caught is logged and ends only what it broke; where that is unknown, the service ends cleanly',
  async () => {
    const home = await newHome()
    const { child, exited, output, ready } = await run(['--port', '0', '--home', home], {
      NODE_OPTIONS: `--import=${failing}`,
    })
    const { url } = await ready()
    child.kill('SIGUSR2')
    await expect.poll(() => output.stderr).toContain('a stray promise')
    await expect.poll(() => output.stderr).toContain('write after end')
    expect((await fetch(`${url}/health/live`)).status).toBe(200)
    child.kill('SIGWINCH')
    // Another exit code than 0, so that it is started again.
    expect(await exited).toBe(1)
    expect(output.stderr).toContain('a stray error')
    // Only a clean stop removes it.
    await expect(stat(join(home, 'service.json'))).rejects.toThrow('ENOENT')
  },
)

testFull('settings come from the environment, and the page can be opened', async () => {
  const home = await newHome()
  const { ready } = await run(['--open'], {
    REFILE_HOME: home,
    REFILE_PORT: '0',
    REFILE_FREE_CREDITS: '7',
    REFILE_LOG_LEVEL: 'silent',
  })
  const { url, pageUrl = '' } = await ready()
  const headers = await signIn(pageUrl)
  expect(await json(fetch(`${url}/app/session`, { headers }))).toMatchObject({ balance: 7 })
  // Opened with its page, it is the app.
  expect(await json(fetch(`${url}/app/credits`, { headers }))).toMatchObject({
    autoTopUp: { on: true, isFixed: false },
  })
})

testFull(
  'drivers of databases and storages are loaded where they are asked for, and nowhere else',
  async () => {
    const { output, ready, ...alone } = await run(['--port', '0', '--home', await newHome()], tellDrivers)
    await ready()
    alone.child.kill('SIGTERM')
    await alone.exited
    expect(output.stderr).toBe('')
    const shared = await run(['--home', await newHome()], {
      ...tellDrivers,
      REFILE_DATABASE_URL: 'postgres://127.0.0.1:1/refile',
      REFILE_BLOBS: tmpdir(),
    })
    expect(await shared.exited).toBe(1)
    expect(shared.output.stderr).toMatch(/^loaded pg$/m)
    expect(shared.output.stderr).not.toContain('loaded @')
  },
)

testFull('started once more to be opened, it opens the one that runs', async () => {
  const home = await newHome()
  const first = await (await run(['--port', '0', '--home', home])).ready()
  const again = await run(['--open', '--home', home])
  expect(await again.exited).toBe(0)
  const { url, pid, pageUrl = '' } = await again.ready()
  expect({ url, pid }).toEqual(first)
  expect((await fetch(pageUrl, { redirect: 'manual' })).headers.get('set-cookie')).not.toBeNull()
  expect((await stat(home)).mode & 0o077).toBe(0)
})

testFull('a port that is taken is skipped, and /health names each engine with its version', async () => {
  const blocker = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void blocker.close())
  await new Promise(resolve => blocker.once('listening', resolve))
  const { port } = blocker.address() as { port: number }
  const { ready } = await run(['--port', String(port), '--home', await newHome()])
  const { url } = await ready()
  const chosen = Number(new URL(url).port)
  expect(chosen).toBeGreaterThan(port)
  expect(chosen).toBeLessThan(port + 50)

  const health = await json<{
    status: string
    version: string
    engines: { name: string; version: string | null }[]
  }>(fetch(`${url}/health`))
  expect(health).toMatchObject({ status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+/) })
  const names = health.engines.map(engine => engine.name)
  expect(names).toContain('ffmpeg')
  expect(health.engines.find(engine => engine.name === 'ffmpeg')?.version).toMatch(/\d/)
})

type Wrong = [string[], Record<string, string>, string]

test.each<Wrong>([
  [['--port', 'many'], {}, '--port takes a whole number from 0 to 65535, not "many".'],
  ...(isFull
    ? [
        [
          ['--home', '/dev/null/x'],
          {},
          'The data folder /dev/null/x cannot be written to (/dev/null is a file).',
        ] as Wrong,
        [
          ['--role=worker', '--open'],
          { REFILE_DATABASE_URL: 'postgres://localhost/refile', REFILE_BLOBS: tmpdir() },
          'leave out --open and --print-key',
        ] as Wrong,
        [[], { REFILE_HOST: '192.0.2.1' }, 'REFILE_HOST is not an address of this machine.'] as Wrong,
        [
          ['--home', '/dev/null'],
          {},
          'The data folder /dev/null cannot be written to (/dev/null is a file).',
        ] as Wrong,
        [[], { REFILE_SLOTS: 'six' }, 'REFILE_SLOTS'] as Wrong,
      ]
    : []),
])('%j with %j is refused in one sentence', async (args, environment, sentence) => {
  const { exited, output } = await run(['--home', await newHome(), ...args], {
    REFILE_LOG_LEVEL: 'silent',
    ...environment,
  })
  expect(await exited).toBe(2)
  expect(output.stderr).toContain(sentence)
  expect(output.stderr.trim().split('\n')).toHaveLength(1)
  expect(output.stdout).toBe('')
})

test.each<Wrong>([
  [['--port', '-1'], {}, '--port takes a whole number from 0 to 65535, not "-1".'],
  [['--port=70000'], {}, '--port takes a whole number from 0 to 65535, not "70000".'],
  [['--port', '0x50'], {}, '--port takes'],
  [['--port'], {}, '--port takes a value.'],
  [['--home='], {}, '--home takes a value.'],
  [['--nonsense'], {}, '"--nonsense" is not known here'],
  [['--print-key=yes'], {}, '"--print-key=yes" is not known here'],
  [['serve'], {}, '"serve" is not known here'],
  [['--role', 'boss'], {}, '--role takes one of all, api, worker, not "boss".'],
  [['--role=api'], {}, 'The role api needs REFILE_DATABASE_URL'],
  [[], { REFILE_ROLE: 'worker' }, 'The role worker needs REFILE_DATABASE_URL'],
  [
    [],
    { REFILE_DATABASE_URL: 'postgres://localhost/refile' },
    'REFILE_DATABASE_URL needs REFILE_BLOBS: a folder that all hosts have, or s3://bucket.',
  ],
  [[], { REFILE_SLOTS: '0' }, 'REFILE_SLOTS'],
  [
    [],
    { REFILE_FREE_CREDITS: '1.5' },
    'REFILE_FREE_CREDITS takes a whole number from 0 to 1000000000, not "1.5".',
  ],
  [[], { REFILE_FREE_CREDITS: '1e3' }, 'REFILE_FREE_CREDITS'],
  [[], { REFILE_RATE_LIMIT: '-1' }, 'REFILE_RATE_LIMIT'],
  [[], { REFILE_RETENTION_SECONDS: 'Infinity' }, 'REFILE_RETENTION_SECONDS'],
  [[], { REFILE_MAX_FILE_BYTES: '99999999999999999999' }, 'REFILE_MAX_FILE_BYTES'],
  [[], { REFILE_PORT: '65536' }, 'REFILE_PORT'],
  [[], { REFILE_OFFLINE: 'perhaps' }, 'REFILE_OFFLINE takes one of 1, true, 0, false, not "perhaps".'],
  [[], { REFILE_LOG_LEVEL: 'loud' }, 'REFILE_LOG_LEVEL'],
  [[], { REFILE_BLOBS: 's3://bucket?bucket=b' }, 'REFILE_BLOBS takes the path of a folder or s3://bucket'],
  [[], { REFILE_ALLOWED_HOSTS: 'http://a' }, 'REFILE_ALLOWED_HOSTS'],
  [[], { REFILE_ALLOWED_ORIGINS: 'obsidian.md' }, 'REFILE_ALLOWED_ORIGINS takes origins'],
])('%j with %j is no use of the service', (args, environment, sentence) => {
  const use = () => loadConfig(readArguments(['--home', '/', ...args]), environment)
  expect(use).toThrow(SettingError)
  expect(use).toThrow(sentence)
  expect(use).toThrow(/^.*$/)
})

test('accounts are managed wherever the database is reached, with nothing else set', () => {
  const environment = { REFILE_DATABASE_URL: 'postgres://host/database' }
  expect(readSettings({}, environment)).toMatchObject({
    databaseUrl: 'postgres://host/database',
    blobs: null,
  })
  expect(() => loadConfig({}, environment)).toThrow('needs REFILE_BLOBS')
})

test.each(
  few(1, [
    [['--help'], 'Runs the service'],
    [['migrate', '-h'], 'migrate --to'],
    [['account', '--help'], 'account create NAME'],
  ]),
)('%j explains itself', async (args, sentence) => {
  const { exited, output } = await run([...args])
  expect(await exited).toBe(0)
  expect(output.stdout).toContain(sentence)
  expect(output.stderr).toBe('')
})
