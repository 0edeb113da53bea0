import { availableParallelism, homedir } from 'node:os'
import { join } from 'node:path'
import {
  GATES,
  type Gate,
  MOST,
  type Role,
  readAdminKey,
  readCollector,
  readDatabaseUrl,
  readGates,
  readHostNames,
  readIssuer,
  readOneOf,
  readOrigins,
  readPlace,
  readPort,
  readPublicUrl,
  readRanges,
  readRole,
  readSecretsKey,
  readWhole,
} from './values.ts'

/** A setting: where it is read from, what it may hold, and its line in docs/settings.md. */
export interface Setting<Value> {
  /** Environment variable. */
  variable: string
  /** The value if the variable is unset or empty. */
  fallback: (environment: NodeJS.ProcessEnv) => Value
  /** @throws SettingError if the text is invalid */
  read: (text: string) => Value
  /** The default as people read it. */
  shown: string
  /** What it does, in Markdown. */
  what: string
}

/** The data folder according to the platform's convention. */
export function defaultHome(
  platform: NodeJS.Platform = process.platform,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  if (platform === 'win32')
    return join(environment.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Refile')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Refile')
  return join(environment.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'refile')
}

const switches = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
])
const logLevels = new Map(['trace', 'debug', 'info', 'warn', 'error', 'silent'].map(level => [level, level]))

/** @param shown the default, unless it reads as it is */
const setting = <Value>(
  variable: string,
  fallback: Value,
  read: (name: string, text: string) => Value,
  what: string,
  shown = String(fallback ?? ''),
): Setting<Value> => ({ variable, fallback: () => fallback, read: text => read(variable, text), shown, what })

const optional = <Value>(
  variable: string,
  read: (name: string, text: string) => Value,
  what: string,
  shown = '',
): Setting<Value | null> => setting<Value | null>(variable, null, read, what, shown)

const asGiven = (_: string, text: string) => text

const whole = (
  variable: string,
  fallback: number,
  what: string,
  { least = 0, most = MOST, shown }: { least?: number; most?: number; shown?: string } = {},
): Setting<number> =>
  setting(variable, fallback, (name, text) => readWhole(name, text, least, most), what, shown)

const readSwitch = (name: string, text: string) => readOneOf(name, text, switches)

const flag = (variable: string, fallback: boolean, what: string): Setting<boolean> =>
  setting(variable, fallback, readSwitch, what, fallback ? 'on' : 'off')

/** Every setting of the service, in the order of the documentation. */
export const settings = {
  home: {
    variable: 'REFILE_HOME',
    fallback: environment => defaultHome(process.platform, environment),
    read: given => given,
    shown: 'see [Where files go](#where-files-go)',
    what: 'folder for the database, files of jobs and models',
  } as Setting<string>,
  blobs: optional(
    'REFILE_BLOBS',
    readPlace,
    'where the contents of files are stored: a folder that hosts may share, or `s3://bucket?…` (see [scale.md](scale.md))',
    '`blobs/` in the data folder',
  ),
  databaseUrl: optional(
    'REFILE_DATABASE_URL',
    readDatabaseUrl,
    '`postgres://…`: a database that several hosts may share, instead of the one in the data folder; needs `REFILE_BLOBS`, see [scale.md](scale.md)',
  ),
  role: setting<Role>(
    'REFILE_ROLE',
    'all',
    readRole,
    'for hosts that share a database: `api` answers requests and runs no jobs, `worker` runs jobs and has no port; also `--role`',
  ),
  secretsKey: optional(
    'REFILE_SECRETS_KEY',
    readSecretsKey,
    'with `REFILE_DATABASE_URL`: 32 bytes in Base64, instead of the key in the data folder, used to encrypt passwords of documents and addresses of webhooks',
    '`secrets.key`',
  ),
  gates: setting<readonly Gate[]>(
    'REFILE_GATES',
    GATES,
    readGates,
    'protocols of other services that are answered as well, or `none`; see [gate.md](gate.md)',
  ),
  port: setting('REFILE_PORT', 7421, readPort, 'port, the next free one if taken; 0 means any'),
  host: setting(
    'REFILE_HOST',
    '127.0.0.1',
    asGiven,
    "address to listen on; `0.0.0.0` is the whole network, where the service answers to this machine's addresses and name",
  ),
  allowedHosts: setting<readonly string[]>(
    'REFILE_ALLOWED_HOSTS',
    [],
    readHostNames,
    'additional names that it answers to, separated by commas, such as `files.example` or, behind a proxy, its name and port: `proxy.example:8080`, `proxy.example:443` where it ends TLS',
  ),
  allowedOrigins: setting<readonly string[]>(
    'REFILE_ALLOWED_ORIGINS',
    [],
    readOrigins,
    'origins of pages within programs, separated by commas, such as `app://obsidian.md`, which may ask at the routes of [other protocols](gate.md), with a key',
  ),
  trustedProxies: setting<readonly string[]>(
    'REFILE_TRUSTED_PROXIES',
    [],
    readRanges,
    "addresses and CIDR ranges of proxies, separated by commas, whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed: limits and addresses of keys are then the caller's, and cookies are for TLS only; see [scale.md](scale.md)",
  ),
  freeCredits: whole('REFILE_FREE_CREDITS', 500, 'credits a new account starts with', { most: 1e9 }),
  autoTopUp: optional(
    'REFILE_AUTO_TOP_UP',
    readSwitch,
    "1 or 0: whether the owner's account tops itself up with a recorded grant, overriding the choice in the app. By default the app does and `npm run serve` does not",
  ),
  rateLimit: whole(
    'REFILE_RATE_LIMIT',
    200,
    "requests a second from one address, twice as many in a burst, not counting the page's own; 0 turns it off",
    { most: 1e6 },
  ),
  metrics: flag(
    'REFILE_METRICS',
    false,
    '1 answers `/metrics` to everyone who reaches the port, for Prometheus; see [scale.md](scale.md#metrics)',
  ),
  traces: optional(
    'REFILE_TRACES',
    readCollector,
    'address of a collector of OpenTelemetry that understands OTLP over HTTP, such as `http://collector:4318`, which gets what is done for each job; see [scale.md](scale.md#traces)',
  ),
  adminKey: optional(
    'REFILE_ADMIN_KEY',
    readAdminKey,
    'a key of 32 characters or more, with which `/admin/accounts` lists and changes all accounts; see [scale.md](scale.md#accounts)',
  ),
  oidcIssuer: optional(
    'REFILE_OIDC_ISSUER',
    readIssuer,
    '`https://…`: a provider of identities by OpenID Connect, with which people sign in to accounts; needs `REFILE_OIDC_CLIENT_ID` and `REFILE_PUBLIC_URL`, see [scale.md](scale.md#openid-connect)',
  ),
  oidcClientId: optional('REFILE_OIDC_CLIENT_ID', asGiven, 'under which the provider knows this service'),
  oidcClientSecret: optional(
    'REFILE_OIDC_CLIENT_SECRET',
    asGiven,
    'with which this service proves to the provider who it is, if the provider wants that',
  ),
  oidcClaim: setting(
    'REFILE_OIDC_CLAIM',
    'email',
    asGiven,
    'what the provider says of a person that is the name of their account; an address has to be verified',
  ),
  oidcNewAccounts: flag(
    'REFILE_OIDC_NEW_ACCOUNTS',
    false,
    '1 gives everybody whom the provider knows an account, with `REFILE_FREE_CREDITS`; otherwise only those who have one sign in',
  ),
  idleTimeoutSeconds: whole(
    'REFILE_IDLE_TIMEOUT_SECONDS',
    60,
    'how long a connection or a running upload may be silent before it is closed',
    { least: 1, most: 86_400 },
  ),
  cores: whole(
    'REFILE_CORES',
    availableParallelism(),
    'cores that conversions may use; set it in a container that may use fewer than its machine has',
    { least: 1, most: 1024, shown: 'all' },
  ),
  slots: whole(
    'REFILE_SLOTS',
    6,
    'jobs that run at once; when all slots are taken, an account without running jobs gets one more, up to twice as many',
    { least: 1, most: 256 },
  ),
  retentionSeconds: whole(
    'REFILE_RETENTION_SECONDS',
    3600,
    'how long outputs and unused dropped files are kept',
    { most: 1e9 },
  ),
  appRetentionSeconds: whole(
    'REFILE_APP_RETENTION_SECONDS',
    86_400,
    'how long outputs of the app are kept, instead, while 10 GB of the disk are free',
    { most: 1e9 },
  ),
  jobTimeoutSeconds: whole(
    'REFILE_JOB_TIMEOUT_SECONDS',
    0,
    "time limit of every job by the clock; 0 uses each converter's own, in processor time",
    { most: 1e6 },
  ),
  maxFileBytes: whole(
    'REFILE_MAX_FILE_BYTES',
    16 * 2 ** 30,
    "largest accepted file, if it is below a converter's own limit",
    { shown: '16 GiB' },
  ),
  maxOutputBytes: whole('REFILE_MAX_OUTPUT_BYTES', 64 * 2 ** 30, "size a job's results may grow to", {
    shown: '64 GiB',
  }),
  memoryLimitMegabytes: whole('REFILE_MEMORY_LIMIT_MB', 4096, 'memory one job may use', {
    least: 1,
    most: 1e9,
  }),
  memoryBudgetMegabytes: whole(
    'REFILE_MEMORY_BUDGET_MB',
    0,
    "memory that all jobs together are expected to use at most, based on what their engines need for ordinary files; 0 is 70 % of the machine's",
    { most: 1e9 },
  ),
  workerIdleSeconds: whole(
    'REFILE_WORKER_IDLE_SECONDS',
    0,
    "how long an idle worker process is kept warm; 0 uses each engine's own time",
    { most: 1e6 },
  ),
  offline: flag('REFILE_OFFLINE', false, '1 forbids every outbound request, including downloads of models'),
  fetchPacks: flag(
    'REFILE_FETCH_PACKS',
    true,
    '0 downloads packs, such as LibreOffice and fonts of scripts, only when a person asks, not when a conversion needs one',
  ),
  publicUrl: optional(
    'REFILE_PUBLIC_URL',
    readPublicUrl,
    'address at which receivers of webhooks reach the service',
    'its own address',
  ),
  urlInput: flag('REFILE_URL_INPUT', true, '0 refuses conversions from a URL'),
  rebuildDocuments: flag(
    'REFILE_REBUILD_DOCUMENTS',
    false,
    '1 rebuilds every document that becomes PDF or PDF/A from pictures of its pages, whatever its options say; see [documents.md](documents.md#files-that-one-does-not-trust)',
  ),
  ffmpeg: optional('REFILE_FFMPEG', asGiven, 'path of the preferred ffmpeg'),
  models: optional('REFILE_MODELS', asGiven, 'folder of additional speech models'),
  resources: optional('REFILE_RESOURCES', asGiven, 'folder of fonts and profiles', '`resources/`'),
  drainSeconds: whole(
    'REFILE_DRAIN_SECONDS',
    0,
    'how long running jobs may take to finish after SIGTERM; 0 stops them at once, and they run again after the next start',
    { most: 86_400 },
  ),
  logLevel: setting(
    'REFILE_LOG_LEVEL',
    'info',
    (name, text) => readOneOf(name, text, logLevels),
    'trace, debug, info, warn, error or silent',
  ),
} satisfies Record<string, Setting<unknown>>
