import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { ConnectionError, Refile, type RetryPolicy } from '../sdk/src/index.ts'
import { OwnerClient, type Question } from '../service/host/owner.ts'
import { askRunning, isAnnounced } from '../service/host/running.ts'
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
    const headers: Record<string, string> = key === undefined ? {} : { 'x-service-api-key': key }
    const send: Service['send'] = (path, init) =>
      fetch(`${address}${path}`, { ...init, headers: { ...init?.headers, ...headers } })
    return serviceAt({ url: address, send, owner: undefined, isRunning: async () => true }, needs)
  }
  if (running) {
    return ownServiceAt(running, () => isAnnounced(folder, running), needs)
  }
  const { child, pageUrl } = await start(programs, folder, signal)
  const found = { url: new URL(pageUrl).origin, pageUrl }
  const started = ownServiceAt(found, async () => !hasEnded(child), needs)
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

type Found = Pick<Service, 'url' | 'send' | 'isRunning'> & { owner: OwnerClient | undefined }

function ownServiceAt(
  { url, pageUrl }: { url: string; pageUrl: string },
  isRunning: Service['isRunning'],
  needs: Needs,
): Service {
  const owner = new OwnerClient({ url, openUrl: async () => pageUrl })
  return serviceAt({ url, owner, send: (path, init) => owner.send(path, init), isRunning }, needs)
}

function serviceAt({ url, owner, isRunning, ...found }: Found, { next }: Needs): Service {
  let isGone = false
  /** Asks this service, or the next one once this has ended. */
  const asking = async <Answer>(ask: (service: Pick<Service, 'send' | 'own'>) => Promise<Answer>) => {
    if (isGone) return ask(await next())
    try {
      return await ask({ send: found.send, own: (path, question) => owner!.ask(path, question) })
    } catch (error) {
      isGone = !(await isRunning())
      throw error
    }
  }
  const send: Service['send'] = (path, init) => asking(service => service.send(path, init))
  return {
    ...{ url, isElsewhere: !owner, isOurs: false, isRunning, send },
    client: new Refile({ baseUrl: '', retries, fetch: (path, init) => send(String(path), init as Init) }),
    own: async (path, question) => {
      if (!owner)
        throw new UsageError('Only the service of this machine can do this. Leave out --url and REFILE_URL.')
      return asking(service => service.own(path, question))
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
  using _end = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await ended
}
