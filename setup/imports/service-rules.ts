import { bothSides, commonModules, type Rule } from './rule.ts'

/** The rooms of the service. */
/** What a trunk of the engines may import of the other trunks. */
const trunk = (name: string, ...others: string[]): Rule => ({
  place: `service/convert/engines/${name}`,
  code: [...others.map(other => `service/convert/engines/${other}`), ...commonModules],
})

export const serviceRules: readonly Rule[] = [
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
      'service/host/usage.ts',
      'service/store',
      'service/store/migrate',
    ],
  },
  { place: 'service/host/arguments.ts', code: ['service/shared/config.ts', 'service/host/usage.ts'] },
  { place: 'service/host/usage.ts' },
  { place: 'service/host/empty-folders.ts', code: commonModules },
  { place: 'service/host/listen.ts', code: ['service/shared/config.ts'] },
  { place: 'service/host/account-command.ts', code: ['service'] },
  { place: 'service/host/running-accounts.ts', code: ['service', 'sdk/src'] },
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
    code: ['service/shared/wrapped.ts', 'service/store/interfaces'],
    types: ['service/host/otlp.ts', 'service/sandbox/workers'],
  },
  {
    place: 'service/host/measures.ts',
    code: ['service/shared/wrapped.ts', 'service/store/interfaces', 'service/work/jobs/statistics.ts'],
  },
  { place: 'service/host/running.ts' },
  { place: 'service/host/owner.ts', code: ['sdk/src'] },
  { place: 'service/host/stopping.ts', types: ['service/host/host.ts'] },
  { place: 'service/shared/errors.ts', code: ['service/shared/messages'] },
  { place: 'service/shared/messages', code: [bothSides] },
  { place: 'service/shared/names' },
  {
    place: 'service/shared/placing',
    code: ['service/shared/names', 'service/shared/make-folder.ts', 'service/shared/file-hash.ts'],
  },
  { place: 'service/shared/recycle.ts' },
  { place: 'service/shared/file-hash.ts' },
  { place: 'service/shared/json-schema.ts' },
  { place: 'service/shared/csv.ts' },
  { place: 'service/shared/serial-loop.ts' },
  { place: 'service/shared/wrapped.ts' },

  // What comes over HTTP
  {
    place: 'service/web/http/server.ts',
    code: [
      'service/web/http',
      'service/web/api/routes.ts',
      'service/web/app/routes.ts',
      'service/web/gate/routes.ts',
      ...commonModules,
    ],
    types: ['service/web/services.ts'],
  },
  {
    place: 'service/web/http',
    code: ['service/store/interfaces/errors.ts', ...commonModules],
    types: [
      'service/web/services.ts',
      'service/store/interfaces',
      'service/convert/engines/common/report.ts',
    ],
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
    place: 'service/web/gate',
    code: [
      'service/web/http',
      'service/work/intake',
      'service/work/jobs',
      'service/store/interfaces',
      'service/convert/catalogue',
      ...commonModules,
    ],
    types: ['service/web/services.ts', 'service/shared/settings/values.ts'],
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
      'service/watch',
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
    code: [
      'service/work/intake',
      'service/work/jobs',
      'service/accounts',
      'service/store/interfaces',
      ...commonModules,
    ],
    types: ['service/watch'],
  },
  // Knows nobody but what is shared: the service and the command line bring what converts.
  { place: 'service/watch', code: commonModules },
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
  // Database, storage and provider of identities of this machine, for tests and measurements.
  {
    place: 'testing/servers',
    code: ['service/store', 'service/store/interfaces', 'service/shared/net'],
    types: ['service/shared/blob-place.ts'],
  },
  // Hosts with such servers that can be killed, for tests and measurements.
  {
    place: 'testing/servers/hosts',
    code: ['service/host/host.ts', 'service/sandbox/workers', 'service/store', ...commonModules],
    types: ['service/store/interfaces', 'service/shared/blob-place.ts'],
  },
  // Makers of files to convert, and one conversion without a service, for tests and measurements.
  { place: 'testing/samples', code: ['service/convert', ...commonModules] },
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
    types: ['service/convert/engines/common/report.ts', 'service/sandbox/confinement'],
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
  // A trunk a kind of files: it may use the shared helpers, and of the other trunks those that are named here.
  trunk('common', 'archives/names.ts'),
  trunk('archives', 'common'),
  trunk('fonts', 'common'),
  trunk('media', 'common'),
  trunk('pictures', 'common', 'fonts', 'media', 'books/book/markup/write.ts'),
  trunk('books', 'archives', 'common', 'fonts', 'pictures'),
  trunk('pdf', 'common', 'fonts', 'pictures'),
  trunk('documents', 'archives', 'books', 'common', 'fonts', 'pdf/pdfium', 'pictures'),
  // Readers know no writers: what both need stands above them.
  trunk(
    'documents/read',
    ...['archives', 'books', 'common', 'pictures', 'documents/maths', 'documents/formats'],
    ...['documents/format.ts', 'documents/model.ts', 'documents/number-format.ts', 'documents/slugs.ts'],
  ),
  trunk('data', 'common', 'documents'),
  {
    place: 'service/convert/engines/common/thread-entry.ts',
    code: ['service/convert/engines', 'service/sandbox/confinement/network.ts'],
  },
]
