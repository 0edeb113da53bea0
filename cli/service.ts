import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { ConnectionError, Refile, type RetryPolicy } from '../sdk/src/index.ts'
import { askRunning, isAnnounced } from '../service/host/running.ts'
import { defaultHome } from '../service/shared/settings/table.ts'
import { UsageError } from './exit-codes.ts'
import type { Settings } from './settings.ts'

/** A service that commands talk to. */
export interface Service extends AsyncDisposable {
  url: string
  /** Whether it is known by its address alone, so that it has nothing first-party. */
  isElsewhere: boolean
  client: Refile
  /** False once the process that it was found in has ended. A service elsewhere is always taken to run. */
  isRunning(): Promise<boolean>
  /** A request to a first-party route, which only the owner's session may use. */
  own<Answer>(path: string, init?: { method: string; body?: object }): Promise<Answer>
}

/** Where the programs of the service are: beside this one, in a build or in the sources. */
export interface Programs {
  service: string
  node: string
  /** Of a service that stays. */
  nodeOptions: readonly string[]
  environment: Readonly<Record<string, string>>
}

/** A queue that is full empties by itself; a service that is started again is there within a minute. */
const retries: RetryPolicy = { retries: 1_000, reconnects: 14, maxDelayMs: 5_000 }
/** How long a service elsewhere may take for a first answer. */
const FIRST_ANSWER_MS = 20_000
const STOP_MS = 5_000

/**
 * The service for a command: the one that the settings name, else the one that runs on this machine, else one that is started for
 * the command and stops with it.
 * @throws Error with what to do if none can be started or reached
 */
export async function openService(
  { url, key, home }: Settings,
  programs: Programs,
  signal: AbortSignal,
): Promise<Service> {
  const folder = home ?? defaultHome()
  // A key may be that of another account.
  const running = key === undefined || url === undefined ? await askRunning(folder) : undefined
  if (url !== undefined && running?.url !== url.replace(/\/+$/, '')) return remote(url, key, signal)
  if (running) return withSession(running.url, running.pageUrl, () => isAnnounced(folder, running))
  const { child, pageUrl } = await start(programs, folder)
  const started = await withSession(new URL(pageUrl).origin, pageUrl, async () => !hasEnded(child))
  return { ...started, [Symbol.asyncDispose]: () => stop(child) }
}

async function remote(url: string, key: string | undefined, signal: AbortSignal): Promise<Service> {
  await checkAnswers(url, signal)
  return {
    url,
    isElsewhere: true,
    isRunning: async () => true,
    client: new Refile({ baseUrl: url, ...(key === undefined ? {} : { apiKey: key }), retries }),
    own: () => {
      throw new UsageError('Only the service of this machine can do this. Leave out --url and REFILE_URL.')
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

/** @throws ConnectionError if nobody answers there, so that a wrong address is not tried for a minute */
async function checkAnswers(url: string, signal: AbortSignal): Promise<void> {
  try {
    const answer = await fetch(url, {
      method: 'HEAD',
      signal: AbortSignal.any([signal, AbortSignal.timeout(FIRST_ANSWER_MS)]),
    })
    await answer.body?.cancel()
  } catch (cause) {
    throw new ConnectionError(`No service answers at ${url}.`, { cause })
  }
}

/** Signs in with a one-time link, as the app's page does. */
async function withSession(url: string, pageUrl: string, isRunning: Service['isRunning']): Promise<Service> {
  const answer = await fetch(pageUrl, { redirect: 'manual' })
  await answer.body?.cancel()
  const cookie = answer.headers
    .getSetCookie()
    .map(line => line.split(';', 1)[0])
    .join('; ')
  const headers = { cookie }
  return {
    url,
    isElsewhere: false,
    client: new Refile({ baseUrl: url, headers, retries }),
    isRunning,
    own: async (path, { method = 'GET', body } = { method: 'GET' }) => {
      const type = body && { 'content-type': 'application/json' }
      const reply = await fetch(`${url}${path}`, {
        method,
        headers: { ...headers, ...type },
        body: body ? JSON.stringify(body) : null,
      })
      const content = reply.status === 204 ? undefined : await reply.json()
      if (!reply.ok)
        throw new Error((content as { detail?: string }).detail ?? `The service answered ${reply.status}.`)
      return content as never
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

async function start(
  { node, service, environment }: Programs,
  home: string,
): Promise<{ child: ChildProcess; pageUrl: string }> {
  // Without the options that keep a lasting service small: they make a short one slower.
  const child = spawn(node, [service, '--open', '--port', '0', '--home', home], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { REFILE_LOG_LEVEL: 'error', ...process.env, ...environment },
    // Ctrl-C is for this command, which cancels its jobs first.
    detached: process.platform !== 'win32',
  })
  let [printed, problems] = ['', '']
  child.stderr?.on('data', chunk => {
    problems = `${problems}${chunk}`.slice(-4_000)
  })
  const line = new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', chunk => {
      printed += chunk
      if (printed.includes('\n')) resolve(printed)
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(problems.trim() || 'The service could not be started.')))
  })
  const { pageUrl } = JSON.parse(await line) as { pageUrl: string }
  // Its end is awaited by `stop`, and nothing else of it should keep this process alive.
  child.unref()
  child.channel?.unref()
  return { child, pageUrl }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  child.ref()
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await ended
  clearTimeout(timer)
}
