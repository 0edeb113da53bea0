import { availableParallelism, homedir } from 'node:os'
import { join } from 'node:path'
import packageFile from '../../package.json' with { type: 'json' }
import { type BlobPlace, readBlobPlace } from './blob-place.ts'

export const version: string = packageFile.version

/** What a host does: everything, answer requests without running jobs, or run jobs without a port. */
export type Role = 'all' | 'api' | 'worker'

/** All settings of the service. Each can be set by the environment variable in its comment. */
export interface Config {
  /** REFILE_HOME: folder for the database, files of jobs and models. */
  home: string
  /**
   * REFILE_BLOBS: where contents of files are stored, in the data folder by default: a folder that hosts may share, or
   * `s3://bucket/prefix?endpoint=…&region=…&style=path`.
   */
  blobs: BlobPlace | null
  /** REFILE_DATABASE_URL: `postgres://…`, a database that several hosts may share; by default one in the data folder. */
  databaseUrl: string | null
  /** REFILE_SECRETS_KEY: 32 bytes in Base64 that encrypt passwords and addresses, instead of the data folder's secrets.key. */
  secretsKey: string | null
  /** REFILE_ROLE: what this host does, of those that share a database. */
  role: Role
  /** REFILE_PORT: port to listen on, the next free one if taken; 0 means any. */
  port: number
  /** REFILE_HOST: address to listen on. Anything but loopback is the owner's decision. */
  host: string
  /**
   * REFILE_ALLOWED_HOSTS: additional names, separated by commas, that the service answers to besides those of this
   * machine.
   */
  allowedHosts: readonly string[]
  /** REFILE_FREE_CREDITS: credits a new account starts with. */
  freeCredits: number
  /**
   * REFILE_AUTO_TOP_UP: whether the owner's account tops itself up, overriding the choice in the app; null leaves it to
   * that choice, or to `isApp` of the service if nothing was chosen.
   */
  autoTopUp: boolean | null
  /**
   * REFILE_RATE_LIMIT: requests a second that each IP address may make, with twice as many in a burst; 0 turns it off.
   */
  rateLimit: number
  /** REFILE_IDLE_TIMEOUT_SECONDS: how long a connection or a running upload may be silent before it is closed. */
  idleTimeoutSeconds: number
  /** REFILE_SLOTS: jobs that run at once. */
  slots: number
  /**
   * REFILE_CORES: cores that conversions may use; all by default. A process cannot see its container's share of processor time.
   */
  cores: number
  /** REFILE_RETENTION_SECONDS: how long outputs and unused dropped files are kept. */
  retentionSeconds: number
  /** REFILE_JOB_TIMEOUT_SECONDS: time limit of every job, instead of each converter's own; 0 uses those. */
  jobTimeoutSeconds: number
  /** REFILE_MAX_FILE_BYTES: largest accepted file, if it is below a converter's own limit. */
  maxFileBytes: number
  /** REFILE_MAX_OUTPUT_BYTES: how large a job's results may grow. */
  maxOutputBytes: number
  /** REFILE_MEMORY_LIMIT_MB: memory one job may use. */
  memoryLimitMegabytes: number
  /** REFILE_MEMORY_BUDGET_MB: memory that all jobs together are expected to use at most; 0 is 70 % of the machine's. */
  memoryBudgetMegabytes: number
  /** REFILE_WORKER_IDLE_SECONDS: how long an idle worker process is kept warm, instead of its engine's own time; 0 uses that. */
  workerIdleSeconds: number
  /** REFILE_OFFLINE: 1 forbids every outbound request, including model downloads. */
  offline: boolean
  /** REFILE_URL_INPUT: 0 refuses conversions from a URL. */
  urlInput: boolean
  /** REFILE_PUBLIC_URL: address at which receivers of webhooks reach this service; its own by default. */
  publicUrl: string | null
  /** REFILE_FFMPEG: path of the preferred ffmpeg program. */
  ffmpeg: string | null
  /** REFILE_MODELS: folder of additional speech models. */
  models: string | null
  /** REFILE_RESOURCES: folder of the fonts and profiles that ship with the code. */
  resources: string | null
  /**
   * REFILE_DRAIN_SECONDS: how long running jobs may take to finish after SIGTERM; 0 stops them at once, and they run again after
   * the next start.
   */
  drainSeconds: number
  /** REFILE_LOG_LEVEL: trace, debug, info, warn, error or silent. */
  logLevel: string
}

/** The data folder according to the platform's convention. */
export function defaultHome(platform = process.platform, environment = process.env): string {
  if (platform === 'win32')
    return join(environment.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Refile')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Refile')
  return join(environment.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'refile')
}

/** Folder speech models are downloaded to. */
export const modelsFolder = ({ home }: Pick<Config, 'home'>): string => join(home, 'models')

/** An invalid setting, described in one sentence that names it. */
export class SettingError extends Error {}

/** Largest port there is. */
export const LAST_PORT = 65_535
/** Largest number of a setting; above it, sums are no longer exact. */
const MOST = 1e15

/** The number in a text of plain digits; undefined for anything else. */
const wholeNumber = (text: string): number | undefined => (/^\d{1,16}$/.test(text) ? Number(text) : undefined)

/** @throws SettingError if a text is not an integer within the bounds */
export function readWhole(name: string, text: string, least: number, most: number): number {
  const value = wholeNumber(text)
  if (value !== undefined && value >= least && value <= most) return value
  throw new SettingError(
    most === MOST
      ? `${name} takes a whole number of ${least} or more, not "${text}".`
      : `${name} takes a whole number from ${least} to ${most}, not "${text}".`,
  )
}

/** @throws SettingError if a text is not a port */
export const readPort = (name: string, text: string): number => readWhole(name, text, 0, LAST_PORT)

const roles: readonly Role[] = ['all', 'api', 'worker']

/** @throws SettingError if a text is not a role */
export function readRole(name: string, text: string): Role {
  const role = roles.find(each => each === text)
  if (role) return role
  throw new SettingError(`${name} takes one of ${roles.join(', ')}, not "${text}".`)
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent']
const switches = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
])

/**
 * The effective settings: `overrides` first, then the environment, then the defaults.
 * @throws SettingError if one is invalid, by itself or in combination
 */
export function loadConfig(overrides: Partial<Config> = {}, environment = process.env): Config {
  const whole = (name: string, fallback: number, least = 0, most = MOST) => {
    const text = environment[name]
    return text === undefined || text === '' ? fallback : readWhole(name, text, least, most)
  }
  const oneOf = <Value>(name: string, fallback: Value, values: ReadonlyMap<string, Value>) => {
    const text = environment[name]
    if (text === undefined || text === '') return fallback
    const value = values.get(text)
    if (value !== undefined) return value
    throw new SettingError(`${name} takes one of ${[...values.keys()].join(', ')}, not "${text}".`)
  }
  const config: Config = {
    home: environment.REFILE_HOME || defaultHome(),
    blobs: blobPlace('REFILE_BLOBS', environment.REFILE_BLOBS),
    databaseUrl: databaseUrl('REFILE_DATABASE_URL', environment.REFILE_DATABASE_URL),
    secretsKey: secretsKey('REFILE_SECRETS_KEY', environment.REFILE_SECRETS_KEY),
    role: readRole('REFILE_ROLE', environment.REFILE_ROLE || 'all'),
    port: whole('REFILE_PORT', 7421, 0, LAST_PORT),
    host: environment.REFILE_HOST || '127.0.0.1',
    allowedHosts: hostNames('REFILE_ALLOWED_HOSTS', environment.REFILE_ALLOWED_HOSTS),
    freeCredits: whole('REFILE_FREE_CREDITS', 500, 0, 1e9),
    autoTopUp: oneOf<boolean | null>('REFILE_AUTO_TOP_UP', null, switches),
    rateLimit: whole('REFILE_RATE_LIMIT', 200, 0, 1e6),
    idleTimeoutSeconds: whole('REFILE_IDLE_TIMEOUT_SECONDS', 60, 1, 86_400),
    slots: whole('REFILE_SLOTS', 6, 1, 256),
    cores: whole('REFILE_CORES', availableParallelism(), 1, 1024),
    retentionSeconds: whole('REFILE_RETENTION_SECONDS', 3600, 0, 1e9),
    jobTimeoutSeconds: whole('REFILE_JOB_TIMEOUT_SECONDS', 0, 0, 1e6),
    maxFileBytes: whole('REFILE_MAX_FILE_BYTES', 16 * 2 ** 30),
    maxOutputBytes: whole('REFILE_MAX_OUTPUT_BYTES', 64 * 2 ** 30),
    memoryLimitMegabytes: whole('REFILE_MEMORY_LIMIT_MB', 4096, 1, 1e9),
    memoryBudgetMegabytes: whole('REFILE_MEMORY_BUDGET_MB', 0, 0, 1e9),
    workerIdleSeconds: whole('REFILE_WORKER_IDLE_SECONDS', 0, 0, 1e6),
    offline: oneOf('REFILE_OFFLINE', false, switches),
    urlInput: oneOf('REFILE_URL_INPUT', true, switches),
    publicUrl: publicUrl('REFILE_PUBLIC_URL', environment.REFILE_PUBLIC_URL),
    ffmpeg: environment.REFILE_FFMPEG || null,
    models: environment.REFILE_MODELS || null,
    resources: environment.REFILE_RESOURCES || null,
    drainSeconds: whole('REFILE_DRAIN_SECONDS', 0, 0, 86_400),
    logLevel: oneOf('REFILE_LOG_LEVEL', 'info', new Map(logLevels.map(level => [level, level]))),
    ...overrides,
  }
  if (config.role !== 'all' && config.databaseUrl === null) {
    throw new SettingError(
      `The role ${config.role} needs REFILE_DATABASE_URL: only hosts that share a database can divide the work.`,
    )
  }
  if (config.databaseUrl !== null && config.blobs === null) {
    throw new SettingError(
      'REFILE_DATABASE_URL needs REFILE_BLOBS: a folder that all hosts have, or s3://bucket. In the data folder of one host the others could not read the files.',
    )
  }
  return config
}

function blobPlace(name: string, text = ''): BlobPlace | null {
  if (text === '') return null
  const place = readBlobPlace(text)
  if (place) return place
  throw new SettingError(
    `${name} takes the path of a folder or s3://bucket?endpoint=https://…&region=…&style=path, not "${text}".`,
  )
}

/** The URL of a PostgreSQL database; it may contain a password, so errors do not repeat it. */
function databaseUrl(name: string, text = ''): string | null {
  if (text === '' || /^postgres(ql)?:\/\/./.test(text)) return text || null
  throw new SettingError(`${name} takes an address such as postgres://user:password@host/database.`)
}

function secretsKey(name: string, text = ''): string | null {
  if (text === '' || /^[\w+/-]{43}=?$/.test(text)) return text || null
  throw new SettingError(`${name} takes 32 bytes in Base64, such as "openssl rand -base64 32" prints.`)
}

/** The URL of a web server, without a trailing slash. */
function publicUrl(name: string, text = ''): string | null {
  if (text === '') return null
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash) return url.href.replace(/\/+$/, '')
  throw new SettingError(`${name} takes an address such as https://convert.example, not "${text}".`)
}

/** Host names, each with or without a port. */
function hostNames(name: string, text = ''): string[] {
  const names = text
    .split(',')
    .map(word => word.trim())
    .filter(Boolean)
  const wrong = names.find(word => !/^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(word))
  if (wrong !== undefined)
    throw new SettingError(`${name} takes names of hosts separated by commas, and "${wrong}" is none.`)
  return names
}
