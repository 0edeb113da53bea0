import { bothSides, commonModules, type Rule } from './rule.ts'

const below = (folder: string, places: readonly string[]) => places.map(place => `${folder}/${place}`)

/** A room of the service, or a part of one: whose code it may use beside what all may use, and of whom it only knows types. */
const room = (place: string, code: readonly string[] = [], types: readonly string[] = []): Rule => ({
  place: `service/${place}`,
  code: [...below('service', code), ...commonModules],
  types: below('service', types),
})

/** What a trunk of the engines may import of the other trunks. */
const trunk = (name: string, ...others: string[]): Rule =>
  room(
    `convert/engines/${name}`,
    others.map(other => `convert/engines/${other}`),
  )

/** What is used before anything else can be, or by everything: it imports nothing of ours. */
const alone = [
  'shared/names',
  'shared/recycle.ts',
  'shared/blob-place.ts',
  'shared/address-ranges.ts',
  'shared/wrapped.ts',
  'host/usage.ts',
  'sandbox/process-settings.ts',
  'sandbox/confinement',
]

/** The rooms of the service. */
export const serviceRules: readonly Rule[] = [
  ...below('service', alone).map(place => ({ place })),
  { place: 'service/shared', code: [bothSides, 'package.json'] },

  // Assembly
  { place: 'service/main.ts', code: below('service', ['host', 'shared', 'store', 'store/migrate']) },
  { place: 'service/host', code: ['service', 'sdk/src'] },
  { place: 'service/web/services.ts', types: ['service'] },

  // What comes over HTTP
  room(
    'web/http/server.ts',
    ['web/http', 'web/api/routes.ts', 'web/app/routes.ts', 'web/gate/routes.ts'],
    ['web/services.ts'],
  ),
  room(
    'web/http',
    ['store/interfaces/errors.ts'],
    ['web/services.ts', 'store/interfaces', 'convert/engines/common/report.ts'],
  ),
  room('web/http/administration.ts', ['web/http', 'accounts'], ['web/services.ts']),
  room(
    'web/api',
    [
      ...['web/http', 'work/intake', 'work/jobs', 'work/batches', 'work/webhooks', 'accounts'],
      ...['store/interfaces', 'convert/catalogue', 'shared/config.ts'],
    ],
    ['web/services.ts'],
  ),
  room(
    'web/gate',
    ['web/http', 'work/intake', 'work/jobs', 'work/webhooks', 'store/interfaces', 'convert/catalogue'],
    ['web/services.ts', 'shared/settings/values.ts'],
  ),
  room(
    'web/app',
    [
      ...['web/http', 'work/intake', 'work/jobs', 'work/batches', 'work/preview', 'watch', 'accounts'],
      ...['accounts/presets', 'convert/models', 'store/interfaces', 'convert/catalogue', 'shared/config.ts'],
    ],
    ['web/services.ts'],
  ),

  // The life of a job
  room(
    'work/intake',
    ['shared/net', 'accounts', 'store/interfaces', 'convert/catalogue'],
    ['work/jobs', 'sandbox/workers', 'shared/config.ts'],
  ),
  room(
    'work/batches',
    ['work/intake', 'work/jobs', 'accounts', 'store/interfaces', 'convert/catalogue'],
    ['shared/config.ts'],
  ),
  room(
    'work/jobs',
    ['sandbox/workers', 'accounts', 'store/interfaces', 'convert/catalogue'],
    ['shared/config.ts'],
  ),
  room(
    'work/preview',
    ['work/intake', 'work/jobs', 'store/interfaces', 'convert/catalogue'],
    ['sandbox/workers'],
  ),
  room('work/watch', ['work/intake', 'work/jobs', 'accounts', 'store/interfaces'], ['watch']),
  // Knows nobody but what is shared: the service and the command line bring what converts.
  room('watch'),
  room('work/retention', ['store/interfaces'], ['shared/config.ts']),
  room('work/webhooks', ['shared/net', 'store/interfaces']),
  room('accounts', ['store/interfaces', 'convert/catalogue'], ['shared/config.ts', 'shared/net']),
  room('accounts/presets', ['store/interfaces', 'convert/catalogue']),

  // Stored data, and data from outside
  room('store/interfaces', [], ['convert/catalogue']),
  room('store', ['store/interfaces'], ['convert/catalogue', 'shared/config.ts', 'shared/blob-place.ts']),
  room(
    'store/migrate',
    ['store', 'store/interfaces', 'shared/config.ts', 'shared/settings'],
    ['shared/blob-place.ts'],
  ),
  room('convert/models', ['shared/net']),

  // For tests and measurements: servers of this machine, hosts with them that can be killed, and makers of files to convert.
  {
    place: 'testing/servers',
    code: below('service', ['store', 'shared', 'host/host.ts', 'sandbox/workers']),
  },
  { place: 'testing/fixtures', code: ['service/convert', ...commonModules] },

  // Conversions. Works and engines are loaded in a worker, and only the entry knows them.
  room('convert/catalogue'),
  room(
    'sandbox/workers',
    [
      ...['convert/catalogue', 'shared/config.ts', 'sandbox/process-settings.ts'],
      ...below('sandbox/confinement', ['grants.ts', 'libc.ts', 'limits.ts', 'system-calls.ts']),
    ],
    ['convert/engines/common/report.ts', 'sandbox/confinement'],
  ),
  room('sandbox/workers/entry.ts', [
    ...['sandbox/workers', 'sandbox/confinement/confine.ts', 'convert/catalogue', 'convert/preview'],
    'convert/converters/video/hardware.ts',
    ...['convert/converters/index.ts', 'convert/engines/index.ts'],
  ]),
  room('convert/preview', ['convert/converters', 'convert/engines', 'convert/catalogue']),
  room('convert/converters', ['convert/engines', 'convert/models', 'convert/catalogue']),
  // Tables know nothing of PDFs, whose tables and forms know them.
  room('convert/converters/documents/data', [
    ...['convert/engines', 'convert/catalogue', 'convert/converters/page-options.ts'],
    ...below('convert/converters/documents', ['office', 'text', 'options.ts']),
  ]),
  room('convert/engines'),
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
    ...['archives', 'books', 'common', 'pictures', 'documents/equations', 'documents/formats'],
    ...['documents/format.ts', 'documents/model.ts', 'documents/number-format.ts', 'documents/slugs.ts'],
  ),
  trunk('data', 'common', 'documents'),
  {
    place: 'service/convert/engines/common/thread-entry.ts',
    code: ['service/convert/engines', 'service/sandbox/confinement/network.ts'],
  },
]
