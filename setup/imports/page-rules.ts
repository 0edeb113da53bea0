import { bothSides, type Rule } from './rule.ts'

/** What the page knows of the service and the shell: types. Code is `bothSides` and what is read from names of files. */
const served = [
  'service/web/app/types.ts',
  'service/web/http/shapes.ts',
  'service/convert/catalogue',
  'service/shared/file-facts.ts',
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

/** With what is read from names: those that nobody takes, folders that are one document, Live Photos, and suffixes. */
const plusNames = (rule: Rule): Rule => ({
  ...rule,
  code: [
    ...(rule.code ?? []),
    ...['extension', 'unfinished', 'text-folder', 'live-photos'].map(
      name => `service/shared/names/${name}.ts`,
    ),
  ],
})

/** The page: `shell` shows what people do; each of those knows the parts below it and no neighbour that knows it. */
export const pageRules: readonly Rule[] = [
  page('main.tsx', 'shell', 'api/session.ts', 'session', 'theme', 'messages', 'ui'),
  page('shell', 'actions', 'commands', ...views, ...parts, ...base),
  page('commands', 'actions', 'convert', 'settings', ...parts, ...base),
  page('actions', 'convert/add/FileInputs.tsx', 'convert/state', 'commands/store.ts', ...parts, ...base),
  page('history', 'convert/bar/TargetPicker.tsx', 'convert/state', 'keys', ...parts, ...base),
  page('settings', 'accounts', 'keys', 'credits', 'watch', ...parts, ...base),
  page('programs', 'history', 'jobs', ...base),
  page('accounts', 'keys', ...base),
  page('keys', ...base),
  page('watch', 'destination', 'options', 'presets', 'forms', ...base),
  page('credits', ...base),
  page('convert', 'actions', ...parts, ...base),
  page(
    'convert/inspector',
    'actions',
    'convert/table',
    'convert/bar',
    'convert/add',
    'convert/state',
    ...parts,
    ...base,
  ),
  plusNames(
    page('convert/table', 'actions', 'convert/bar', 'convert/add', 'convert/state', ...parts, ...base),
  ),
  page('convert/bar', 'actions', 'convert/add', 'convert/state', 'credits', ...parts, ...base),
  page('convert/add', 'actions', 'convert/state', ...parts, ...base),
  plusNames(page('convert/state', ...parts, ...base)),
  page('jobs', 'preview', ...base),
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
]
