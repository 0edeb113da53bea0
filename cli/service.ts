import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { ConnectionError, Refile, type RetryPolicy } from '../sdk/src/index.ts'
import { ask, askRunning, isAnnounced, type Question, signIn } from '../service/host/running.ts'
import { defaultHome } from '../service/shared/settings/table.ts'
import { exitCode, UsageError } from './exit-codes.ts'
import type { Settings } from './settings.ts'

/** A service that commands talk to. */
export interface Service extends AsyncDisposable {
  url: string
  /** Whether it is known by its address alone, so that it has nothing first-party. */
  isElsewhere: boolean
  /** Whether it was started for the command, so that nobody else starts it again. */
  isOurs: boolean
  /** Its requests go to the service that comes after this one, once this one has ended. */
  client: Refile
  /** False once the process that it was found in has ended. A service elsewhere is always taken to run. */
  isRunning(): Promise<boolean>
  /** A request to a first-party route, which only the owner's session may use. */
  own<Answer>(path: string, question?: Question): Promise<Answer>
  /** Sends a request once. */
  send(path: string, init?: Init): Promise<Response>
}

type Init = RequestInit & { headers?: Record<string, string> }

/** Where the programs of the service are: beside this one, in a build or in the sources. */
export interface Programs {
  service: string
  node: string
  /** Of a service that stays. */
  nodeOptions: readonly string[]
  environment: Readonly<Record<string, string>>
}

/** What a command knows that needs a service. */
export interface Needs {
  settings: Settings
  programs: Programs
  signal: AbortSignal
  /** The service that was used until it ended. */
  former?: Service | undefined
  /** Opens the one after it. */
  next: () => Promise<Service>
}

/** A queue that is full empties by itself; a service that is started again is there within a minute. */
const retries: RetryPolicy = { retries: 1_000, reconnects: 14, maxDelayMs: 5_000 }
/** How long a service elsewhere may take for a first answer. */
const FIRST_ANSWER_MS = 20_000
/** How long whoever started a service that has ended may take to start it again. */
const COMEBACK_MS = 10_000
const LOOK_MS = 500
const STOP_MS = 5_000

/**
 * The service for a command: the one that the settings name, else the one that runs on this machine, else one that is started for
 * the command and stops with it.
 * @throws Error with what to do if none can be started or reached
 */
export async function openService(needs: Needs): Promise<Service> {
  const { settings, programs, signal } = needs
  const { url, key } = settings
  const folder = settings.home ?? defaultHome()
  // A key may be that of another account.
  const running = key === undefined || url === undefined ? await findRunning(folder, needs) : undefined
  const address = url?.replace(/\/+$/, '')
  if (address !== undefined && running?.url !== address) {
    await checkAnswers(address, signal)
    const headers: Found['headers'] = key === undefined ? {} : { 'x-service-api-key': key }
    return serviceAt({ url: address, isElsewhere: true, headers, isRunning: async () => true }, needs)
  }
  if (running) {
    const isRunning = () => isAnnounced(folder, running)
    const headers = await signIn(running.pageUrl)
    return serviceAt({ url: running.url, isElsewhere: false, headers, isRunning }, needs)
  }
  const { child, pageUrl } = await start(programs, folder, signal)
  const found = { url: new URL(pageUrl).origin, headers: await signIn(pageUrl) }
  const started = serviceAt({ ...found, isElsewhere: false, isRunning: async () => !hasEnded(child) }, needs)
  return { ...started, isOurs: true, [Symbol.asyncDispose]: () => stop(child) }
}

/** The service that runs on this machine; one that has just ended is given time to come back. */
async function findRunning(folder: string, { former, signal }: Needs): ReturnType<typeof askRunning> {
  const patience = former && !former.isOurs && !former.isElsewhere ? COMEBACK_MS : 0
  for (const until = Date.now() + patience; ; await pause(LOOK_MS, undefined, { signal })) {
    const running = await askRunning(folder)
    if (running || Date.now() >= until) return running
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

type Found = Pick<Service, 'url' | 'isElsewhere' | 'isRunning'> & { headers: Record<string, string> }

function serviceAt({ url, isElsewhere, isRunning, headers }: Found, { next }: Needs): Service {
  let isGone = false
  const send: Service['send'] = async (path, init) => {
    if (isGone) return (await next()).send(path, init)
    try {
      return await fetch(`${url}${path}`, { ...init, headers: { ...init?.headers, ...headers } })
    } catch (error) {
      isGone = !(await isRunning())
      throw error
    }
  }
  return {
    ...{ url, isElsewhere, isOurs: false, isRunning, send },
    client: new Refile({ baseUrl: '', retries, fetch: (path, init) => send(String(path), init as Init) }),
    own: async (path, question = {}) => {
      if (isElsewhere)
        throw new UsageError('Only the service of this machine can do this. Leave out --url and REFILE_URL.')
      return ask(init => send(path, init), question)
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

async function start(
  { node, service, environment }: Programs,
  home: string,
  signal: AbortSignal,
): Promise<{ child: ChildProcess; pageUrl: string }> {
  signal.throwIfAborted()
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
    child.once('exit', code => {
      const reason = problems.trim() || 'The service could not be started.'
      reject(code === exitCode.usage ? new UsageError(reason) : new Error(reason))
    })
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
