import { homedir } from 'node:os'
import { join } from 'node:path'
import packageFile from '../package.json' with { type: 'json' }

export const version: string = packageFile.version

/** Every setting of the service. Each can be set by the environment variable its comment names. */
export interface Config {
  /** REFILE_HOME: folder for the database, files of jobs and models. */
  home: string
  /** REFILE_PORT: port to listen on, the next free one if taken; 0 means any. */
  port: number
  /** REFILE_HOST: address to listen on. Anything but loopback is the owner's decision. */
  host: string
  /** REFILE_FREE_CREDITS: credits a new account starts with. */
  freeCredits: number
  /** REFILE_RATE_LIMIT: requests a second each IP address may make, with twice as many in a burst; 0 turns it off. */
  rateLimit: number
  /** REFILE_SLOTS: jobs that run at once. */
  slots: number
  /** REFILE_RETENTION_SECONDS: how long outputs and unused dropped files are kept. */
  retentionSeconds: number
  /** REFILE_JOB_TIMEOUT_SECONDS: time limit of every job, instead of each converter's own; 0 keeps those. */
  jobTimeoutSeconds: number
  /** REFILE_MAX_FILE_BYTES: largest file taken in, where it is below a converter's own limit. */
  maxFileBytes: number
  /** REFILE_MAX_OUTPUT_BYTES: size a job's results may grow to. */
  maxOutputBytes: number
  /** REFILE_MEMORY_LIMIT_MB: memory one job may use. */
  memoryLimitMegabytes: number
  /** REFILE_MEMORY_BUDGET_MB: memory all jobs together are expected to use at most; 0 is 70 % of the machine's. */
  memoryBudgetMegabytes: number
  /** REFILE_WORKER_IDLE_SECONDS: how long an idle worker process is kept warm, instead of its engine's own time; 0 keeps that. */
  workerIdleSeconds: number
  /** REFILE_OFFLINE: 1 forbids every outbound request, model downloads included. */
  offline: boolean
  /** REFILE_FFMPEG: path of the ffmpeg program to use before any other. */
  ffmpeg: string | null
  /** REFILE_MODELS: folder of speech models to use beside the downloaded ones. */
  models: string | null
  /** REFILE_RESOURCES: folder of fonts and profiles that ship beside the code. */
  resources: string | null
  /** REFILE_LOG_LEVEL: trace, debug, info, warn, error or silent. */
  logLevel: string
}

/** The data folder by the platform's convention. */
export function defaultHome(platform = process.platform, environment = process.env): string {
  if (platform === 'win32')
    return join(environment.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Refile')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Refile')
  return join(environment.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'refile')
}

/** Folder speech models are downloaded to. */
export const modelsFolder = ({ home }: Pick<Config, 'home'>): string => join(home, 'models')

/** Reads a non-negative number from the environment; a bad one stops the start with a message that names it. */
function quantity(environment: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = environment[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (!Number.isFinite(value) || value < 0)
    throw new Error(`${name} must be a number of 0 or more, not "${text}".`)
  return value
}

/** The settings in force: `overrides` first, then the environment, then the defaults. */
export function loadConfig(overrides: Partial<Config> = {}, environment = process.env): Config {
  const set = (name: string, fallback: number) => quantity(environment, name, fallback)
  return {
    home: environment.REFILE_HOME || defaultHome(),
    port: set('REFILE_PORT', 7421),
    host: environment.REFILE_HOST || '127.0.0.1',
    freeCredits: set('REFILE_FREE_CREDITS', 500),
    rateLimit: set('REFILE_RATE_LIMIT', 200),
    slots: Math.max(1, set('REFILE_SLOTS', 6)),
    retentionSeconds: set('REFILE_RETENTION_SECONDS', 3600),
    jobTimeoutSeconds: set('REFILE_JOB_TIMEOUT_SECONDS', 0),
    maxFileBytes: set('REFILE_MAX_FILE_BYTES', 16 * 2 ** 30),
    maxOutputBytes: set('REFILE_MAX_OUTPUT_BYTES', 64 * 2 ** 30),
    memoryLimitMegabytes: set('REFILE_MEMORY_LIMIT_MB', 4096),
    memoryBudgetMegabytes: set('REFILE_MEMORY_BUDGET_MB', 0),
    workerIdleSeconds: set('REFILE_WORKER_IDLE_SECONDS', 0),
    offline: environment.REFILE_OFFLINE === '1' || environment.REFILE_OFFLINE === 'true',
    ffmpeg: environment.REFILE_FFMPEG || null,
    models: environment.REFILE_MODELS || null,
    resources: environment.REFILE_RESOURCES || null,
    logLevel: environment.REFILE_LOG_LEVEL || 'info',
    ...overrides,
  }
}
