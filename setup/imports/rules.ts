/** What the files of a place may import besides each other. A place is a file or folder; the narrowest one counts. */
export interface Rule {
  place: string
  /** Places whose code and types it may import. */
  code?: readonly string[]
  /** Places from which it may only import types. */
  types?: readonly string[]
  /** Places within those that it may not import all the same. */
  never?: readonly string[]
}

/** The only code that page, shell and service all run: the list of languages, and the reader of their texts. */
const bothSides = 'languages'

/** Modules that every folder may use, the loop that many of them run, and how they delete folders and hash files. */
const commonModules = [
  'service/shared/errors.ts',
  'service/shared/messages',
  bothSides,
  'service/shared/names',
  'service/shared/serial-loop.ts',
  'service/shared/address-ranges.ts',
  'service/shared/remove-tree.ts',
  'service/shared/file-hash.ts',
  'service/shared/json-schema.ts',
]

/** What the page knows of the service and the shell: types, and no code but `bothSides`. */
const served = [
  'service/web/app/types.ts',
  'service/web/http/shapes.ts',
  'service/convert/catalogue',
  'service/shared/messages',
  'electron/ipc.ts',
]

/** What every part of the page may use. */
const base = ['ui', 'messages', 'api', 'session']

/** What several screens show or need. */
const parts = ['jobs', 'options', 'forms', 'presets', 'preview', 'destination']

/** What a person does, a folder each. */
const views = ['convert', 'history', 'credits', 'programs', 'keys', 'watch', 'settings']

/** The rule for a folder of the page, with the other folders of the page that it may import. */
const page = (place: string, ...code: string[]): Rule => ({
  place: `renderer/${place}`,
  code: code.map(folder => `renderer/${folder}`),
  types: served,
})

/** Who may import whom: the arrows of docs/architecture.md. */
export const rules: readonly Rule[] = [
  // The page: `shell` shows what people do; each of those knows the parts below it and no neighbour that knows it.
  page('main.tsx', 'shell', 'theme', 'messages'),
  page('shell', 'commands', ...views, ...parts, ...base),
  page('commands', 'convert', 'settings', ...parts, ...base),
  page('history', 'convert/state', 'keys', ...parts, ...base),
  page('settings', 'accounts', 'keys', 'credits', 'watch', ...parts, ...base),
  page('programs', 'jobs', ...base),
  page('accounts', 'keys', ...base),
  page('keys', ...base),
  page('watch', 'destination', 'options', 'presets', 'forms', ...base),
  page('credits', ...base),
  page('convert', ...parts, ...base),
  page(
    'convert/inspector',
    'convert/table',
    'convert/bar',
    'convert/add',
    'convert/state',
    ...parts,
    ...base,
  ),
  page('convert/table', 'convert/bar', 'convert/add', 'convert/state', ...parts, ...base),
  page('convert/bar', 'convert/add', 'convert/state', 'credits', ...parts, ...base),
  page('convert/add', 'convert/state', ...parts, ...base),
  page('convert/state', ...parts, ...base),
  page('jobs', ...base),
  page('options', 'forms', ...base),
  page('presets', 'forms', ...base),
  page('preview', 'forms', ...base),
  page('destination', ...base),
  page('forms', ...base),
  page('session', ...base),
  page('ui', 'messages', 'api'),
  {
    place: 'renderer/messages',
    code: ['renderer/api', bothSides],
    types: served,
  },
  page('api'),
  page('theme'),
  page('reference'),

  {
    place: 'electron',
    code: [
      'service/host/host.ts',
      'service/shared/config.ts',
      'service/host/log.ts',
      'service/sandbox/process-settings.ts',
      'service/sandbox/workers/spawn.ts',
      'service/sandbox/workers/guardian.ts',
      'service/sandbox/workers/output-tail.ts',
      'service/sandbox/workers/process-tree.ts',
      'service/shared/names',
      'service/shared/messages',
      bothSides,
      'package.json',
    ],
    types: ['service/web/app/types.ts'],
  },

  // Clients of the API
  {
    place: 'cli',
    code: [
      'sdk/src',
      'package.json',
      'service/shared/names',
      'service/shared/watch',
      'service/shared/recycle.ts',
      'service/host/running.ts',
      'service/shared/settings',
      'service/sandbox/process-settings.ts',
    ],
    types: ['service/web/app/types.ts'],
  },
  {
    place: 'cli/commands',
    code: [
      'cli',
      'cli/mcp',
      'sdk/src',
      'service/shared/settings',
      'service/shared/watch',
      'service/shared/recycle.ts',
    ],
    types: ['service/web/app/types.ts'],
  },
  { place: 'cli/mcp', code: ['cli', 'sdk/src', 'package.json', 'service/shared/names'] },
  { place: 'sdk' },

  // Around the product
  { place: 'setup', code: ['service', bothSides, 'package.json'], never: ['service/test'] },
  { place: 'setup/imports' },
  { place: 'bench', code: ['service'] },
  {
    place: 'e2e',
    // Prepares accounts, and starts what a service is told of.
    code: [
      'renderer/messages',
      'service/accounts',
      'service/host/core.ts',
      'service/store/open.ts',
      'service/servers',
    ],
    types: ['electron/ipc.ts'],
  },

  // Assembly
  {
    place: 'service/main.ts',
    code: [
      'service/host/host.ts',
      'service/host/account-command.ts',
      'service/host/arguments.ts',
      'service/shared/config.ts',
      'service/host/log.ts',
      'service/host/running.ts',
      'service/host/stopping.ts',
      'service/store',
      'service/store/migrate',
    ],
  },
  { place: 'service/host/arguments.ts', code: ['service/shared/config.ts'] },
  { place: 'service/host/empty-folders.ts', code: commonModules },
  { place: 'service/host/listen.ts', code: ['service/shared/config.ts'] },
  { place: 'service/host/account-command.ts', code: ['service'] },
  { place: 'service/host/host.ts', code: ['service'] },
  { place: 'service/host/assembly.ts', code: ['service', 'sdk/src'] },
  { place: 'service/host/core.ts', code: ['service'] },
  { place: 'service/web/services.ts', types: ['service'] },
  { place: 'service/shared/config.ts', code: ['package.json', 'service/shared/settings'] },
  {
    place: 'service/shared/settings',
    code: ['service/shared/blob-place.ts', 'service/shared/address-ranges.ts'],
  },
  { place: 'service/shared/blob-place.ts' },
  { place: 'service/shared/address-ranges.ts' },
  { place: 'service/sandbox/process-settings.ts' },
  { place: 'service/sandbox/confinement' },
  { place: 'service/host/log.ts', code: ['service/shared/config.ts'] },
  { place: 'service/host/otlp.ts', code: ['service/shared/config.ts'] },
  {
    place: 'service/host/traces.ts',
    code: ['service/store/interfaces'],
    types: ['service/host/otlp.ts', 'service/sandbox/workers'],
  },
  { place: 'service/host/running.ts' },
  { place: 'service/host/stopping.ts', types: ['service/host/host.ts'] },
  { place: 'service/shared/errors.ts', code: ['service/shared/messages'] },
  { place: 'service/shared/messages', code: [bothSides] },
  { place: bothSides },
  { place: 'service/shared/names' },
  { place: 'service/shared/watch', code: ['service/shared/names', 'service/shared/file-hash.ts'] },
  { place: 'service/shared/recycle.ts' },
  { place: 'service/shared/file-hash.ts' },
  { place: 'service/shared/json-schema.ts' },
  { place: 'service/shared/serial-loop.ts' },

  // What comes over HTTP
  {
    place: 'service/web/http/server.ts',
    code: ['service/web/http', 'service/web/api/routes.ts', 'service/web/app/routes.ts', ...commonModules],
    types: ['service/web/services.ts'],
  },
  {
    place: 'service/web/http',
    code: ['service/store/interfaces/errors.ts', ...commonModules],
    types: ['service/web/services.ts', 'service/store/interfaces', 'service/convert/engines/report.ts'],
  },
  {
    place: 'service/web/http/administration.ts',
    code: ['service/web/http', 'service/accounts', ...commonModules],
    types: ['service/web/services.ts'],
  },
  {
    place: 'service/web/api',
    code: [
      'service/web/http',
      'service/work/intake',
      'service/work/jobs',
      'service/work/batches',
      'service/accounts',
      'service/work/webhooks',
      'service/store/interfaces',
      'service/convert/catalogue',
      'service/shared/config.ts',
      ...commonModules,
    ],
    types: ['service/web/services.ts'],
  },
  {
    place: 'service/web/app',
    code: [
      'service/web/http',
      'service/work/intake',
      'service/work/jobs',
      'service/work/batches',
      'service/accounts',
      'service/convert/models',
      'service/accounts/presets',
      'service/work/watch',
      'service/work/preview',
      'service/store/interfaces',
      'service/convert/catalogue',
      'service/shared/config.ts',
      ...commonModules,
    ],
    types: ['service/web/services.ts'],
  },

  // The life of a job
  {
    place: 'service/work/intake',
    code: [
      'service/shared/net',
      'service/accounts',
      'service/store/interfaces',
      'service/convert/catalogue',
      ...commonModules,
    ],
    types: ['service/work/jobs', 'service/sandbox/workers', 'service/shared/config.ts'],
  },
  {
    place: 'service/work/batches',
    code: [
      'service/work/intake',
      'service/work/jobs',
      'service/accounts',
      'service/store/interfaces',
      'service/convert/catalogue',
      ...commonModules,
    ],
    types: ['service/shared/config.ts'],
  },
  {
    place: 'service/work/jobs',
    code: [
      'service/sandbox/workers',
      'service/accounts',
      'service/store/interfaces',
      'service/convert/catalogue',
      ...commonModules,
    ],
    types: ['service/shared/config.ts'],
  },
  {
    place: 'service/work/preview',
    code: [
      'service/work/intake',
      'service/work/jobs',
      'service/store/interfaces',
      'service/convert/catalogue',
      ...commonModules,
    ],
    types: ['service/sandbox/workers'],
  },
  {
    place: 'service/work/watch',
    code: ['service/shared/watch', ...commonModules],
    types: ['service/convert/catalogue'],
  },
  {
    place: 'service/work/retention',
    code: ['service/store/interfaces', ...commonModules],
    types: ['service/shared/config.ts'],
  },
  {
    place: 'service/accounts',
    code: ['service/store/interfaces', 'service/convert/catalogue', ...commonModules],
    types: ['service/shared/config.ts', 'service/shared/net'],
  },

  // Stored data, and data from outside.
  // Database, storage and provider of identities of this machine, for tests, measurements and `npm run cluster`.
  {
    place: 'service/servers',
    code: ['service/store', 'service/store/interfaces', 'service/shared/net'],
    types: ['service/shared/blob-place.ts'],
  },
  { place: 'service/store/interfaces', code: commonModules, types: ['service/convert/catalogue'] },
  {
    place: 'service/store',
    code: ['service/store/interfaces', ...commonModules],
    types: ['service/convert/catalogue', 'service/shared/config.ts', 'service/shared/blob-place.ts'],
  },
  {
    place: 'service/store/migrate',
    code: [
      'service/store',
      'service/store/interfaces',
      'service/shared/config.ts',
      'service/shared/blob-place.ts',
    ],
  },
  {
    place: 'service/accounts/presets',
    code: ['service/store/interfaces', 'service/convert/catalogue', ...commonModules],
  },
  { place: 'service/convert/models', code: ['service/shared/net', ...commonModules] },
  {
    place: 'service/work/webhooks',
    code: ['service/shared/net', 'service/store/interfaces', ...commonModules],
  },
  { place: 'service/shared/net', code: commonModules, types: ['service/shared/config.ts'] },

  // Conversions. Works and engines are loaded in a worker, and only the entry knows them.
  { place: 'service/convert/catalogue', code: commonModules },
  {
    place: 'service/sandbox/workers',
    code: [
      'service/convert/catalogue',
      'service/shared/config.ts',
      'service/sandbox/process-settings.ts',
      'service/sandbox/confinement/grants.ts',
      'service/sandbox/confinement/libc.ts',
      'service/sandbox/confinement/limits.ts',
      'service/sandbox/confinement/system-calls.ts',
      ...commonModules,
    ],
    types: ['service/convert/engines/report.ts', 'service/sandbox/confinement'],
  },
  {
    place: 'service/sandbox/workers/entry.ts',
    code: [
      'service/sandbox/workers',
      'service/sandbox/confinement/confine.ts',
      'service/convert/converters/index.ts',
      'service/convert/preview',
      'service/convert/engines/index.ts',
      'service/convert/catalogue',
      ...commonModules,
    ],
  },
  {
    place: 'service/convert/preview',
    code: [
      'service/convert/converters',
      'service/convert/engines',
      'service/convert/catalogue',
      ...commonModules,
    ],
  },
  {
    place: 'service/convert/converters',
    code: [
      'service/convert/engines',
      'service/convert/models',
      'service/convert/catalogue',
      ...commonModules,
    ],
  },
  { place: 'service/convert/engines', code: commonModules },
  {
    place: 'service/convert/engines/thread-entry.ts',
    code: ['service/convert/engines', 'service/sandbox/confinement/network.ts'],
  },
]

/** Files that are loaded into the service's process, and places that they must never load. */
export const neverReaches = {
  starts: ['service/host/host.ts', 'electron/main.ts'],
  place: 'service/convert/engines',
}
