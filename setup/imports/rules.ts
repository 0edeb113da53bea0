/** What the files of a place may import besides each other. A place is a file or folder; the narrowest one counts. */
export interface Rule {
  place: string
  /** Places whose code and types it may import. */
  code?: readonly string[]
  /** Places from which it may only import types. */
  types?: readonly string[]
}

/** Modules that every folder may use, and the loop that many of them run. */
const words = ['service/errors.ts', 'service/messages', 'service/names', 'service/wakeable.ts']

/** Who may import whom: the arrows of docs/architecture.md. */
export const rules: readonly Rule[] = [
  {
    place: 'renderer',
    types: [
      'service/app/types.ts',
      'service/http/shapes.ts',
      'service/catalogue',
      'service/messages',
      'electron/ipc.ts',
    ],
  },
  {
    place: 'electron',
    code: [
      'service/host.ts',
      'service/config.ts',
      'service/log.ts',
      'service/process-settings.ts',
      'service/workers/spawn.ts',
      'service/workers/output-tail.ts',
      'service/workers/process-tree.ts',
      'service/names',
      'service/messages',
      'package.json',
    ],
    types: ['service/app/types.ts'],
  },

  // Assembly
  {
    place: 'service/main.ts',
    code: [
      'service/host.ts',
      'service/arguments.ts',
      'service/config.ts',
      'service/log.ts',
      'service/running.ts',
      'service/storage',
      'service/migrate',
    ],
  },
  { place: 'service/arguments.ts', code: ['service/config.ts'] },
  { place: 'service/listen.ts', code: ['service/config.ts'] },
  { place: 'service/host.ts', code: ['service'] },
  { place: 'service/assembly.ts', code: ['service'] },
  { place: 'service/core.ts', code: ['service'] },
  { place: 'service/services.ts', types: ['service'] },
  { place: 'service/config.ts', code: ['package.json', 'service/blob-place.ts'] },
  { place: 'service/blob-place.ts' },
  { place: 'service/process-settings.ts' },
  { place: 'service/confinement' },
  { place: 'service/log.ts', code: ['service/config.ts'] },
  { place: 'service/running.ts' },
  { place: 'service/errors.ts', code: ['service/messages'] },
  { place: 'service/messages' },
  { place: 'service/names' },
  { place: 'service/wakeable.ts' },

  // What comes over HTTP
  {
    place: 'service/http/server.ts',
    code: ['service/http', 'service/api/routes.ts', 'service/app/routes.ts', ...words],
    types: ['service/services.ts'],
  },
  {
    place: 'service/http',
    code: ['service/stores/errors.ts', ...words],
    types: ['service/services.ts', 'service/stores', 'service/engines/report.ts'],
  },
  {
    place: 'service/api',
    code: [
      'service/http',
      'service/intake',
      'service/jobs',
      'service/batches',
      'service/credits',
      'service/webhooks',
      'service/stores',
      'service/catalogue',
      'service/config.ts',
      ...words,
    ],
    types: ['service/services.ts'],
  },
  {
    place: 'service/app',
    code: [
      'service/http',
      'service/intake',
      'service/jobs',
      'service/batches',
      'service/credits',
      'service/models',
      'service/presets',
      'service/preview',
      'service/stores',
      'service/catalogue',
      'service/config.ts',
      ...words,
    ],
    types: ['service/services.ts'],
  },

  // The life of a job
  {
    place: 'service/intake',
    code: ['service/net', 'service/credits', 'service/stores', 'service/catalogue', ...words],
    types: ['service/jobs', 'service/workers', 'service/config.ts'],
  },
  {
    place: 'service/batches',
    code: [
      'service/intake',
      'service/jobs',
      'service/credits',
      'service/stores',
      'service/catalogue',
      ...words,
    ],
    types: ['service/config.ts'],
  },
  {
    place: 'service/jobs',
    code: ['service/workers', 'service/credits', 'service/stores', 'service/catalogue', ...words],
    types: ['service/config.ts'],
  },
  {
    place: 'service/preview',
    code: ['service/intake', 'service/jobs', 'service/stores', 'service/catalogue', ...words],
    types: ['service/workers'],
  },
  { place: 'service/retention', code: ['service/stores', ...words], types: ['service/config.ts'] },
  {
    place: 'service/credits',
    code: ['service/stores', 'service/catalogue', ...words],
    types: ['service/config.ts'],
  },

  // Stored data, and data from outside.
  { place: 'service/stores', code: words, types: ['service/catalogue'] },
  {
    place: 'service/storage',
    code: ['service/stores', ...words],
    types: ['service/catalogue', 'service/config.ts', 'service/blob-place.ts'],
  },
  {
    place: 'service/migrate',
    code: ['service/storage', 'service/stores', 'service/config.ts', 'service/blob-place.ts'],
  },
  { place: 'service/presets', code: ['service/stores', 'service/catalogue', ...words] },
  { place: 'service/models', code: ['service/net', ...words] },
  { place: 'service/webhooks', code: ['service/net', 'service/stores', ...words] },
  { place: 'service/net', code: words, types: ['service/config.ts'] },

  // Conversions. Works and engines are loaded in a worker, and only the entry knows them.
  { place: 'service/catalogue', code: words },
  {
    place: 'service/workers',
    code: [
      'service/catalogue',
      'service/config.ts',
      'service/process-settings.ts',
      'service/confinement/grants.ts',
      ...words,
    ],
    types: ['service/engines/report.ts', 'service/confinement'],
  },
  {
    place: 'service/workers/entry.ts',
    code: [
      'service/workers',
      'service/confinement/confine.ts',
      'service/converters/index.ts',
      'service/engines/index.ts',
      'service/catalogue',
      ...words,
    ],
  },
  {
    place: 'service/converters',
    code: ['service/engines', 'service/models', 'service/catalogue', ...words],
  },
  { place: 'service/engines', code: words },
  { place: 'service/engines/thread-entry.ts', code: ['service/engines', 'service/confinement/network.ts'] },
]

/** Files that are loaded into the service's process, and places that they must never load. */
export const apart = { starts: ['service/host.ts', 'electron/main.ts'], place: 'service/engines' }
