import { pageRules } from './page-rules.ts'
import { bothSides, type Rule } from './rule.ts'
import { serviceRules } from './service-rules.ts'

/** Who may import whom: the arrows of docs/architecture.md. */
export const rules: readonly Rule[] = [
  ...pageRules,
  {
    place: 'electron',
    code: [
      'sdk/src',
      'service/host/host.ts',
      'service/host/owner.ts',
      'service/shared/config.ts',
      'service/host/log.ts',
      'service/sandbox/process-settings.ts',
      'service/sandbox/workers/spawn.ts',
      'service/sandbox/workers/guardian.ts',
      'service/sandbox/workers/output-tail.ts',
      'service/sandbox/workers/process-tree.ts',
      'service/shared/make-folder.ts',
      'service/shared/names',
      'service/shared/messages',
      'service/shared/placing',
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
      'service/shared/placing',
      'service/watch',
      'service/shared/recycle.ts',
      'service/shared/json-schema.ts',
      'service/shared/messages',
      'service/host/owner.ts',
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
      'service/shared/make-folder.ts',
      'service/shared/messages',
      'service/shared/settings',
      'service/watch',
      'service/shared/recycle.ts',
    ],
    types: ['service/web/app/types.ts'],
  },
  {
    place: 'cli/mcp',
    code: ['cli', 'sdk/src', 'package.json', 'service/shared/names', 'service/shared/placing'],
  },
  { place: 'sdk' },

  // Around the product
  {
    place: 'setup',
    code: [
      'service/convert',
      'service/host/listen.ts',
      'service/host/running.ts',
      'service/sandbox/process-settings.ts',
      'testing/servers',
      'sdk/src',
      'service/shared',
      bothSides,
      'package.json',
    ],
  },
  { place: 'setup/imports' },
  {
    place: 'bench',
    code: [
      'sdk/src',
      'service/accounts',
      'service/convert',
      'service/host/listen.ts',
      'service/host/running.ts',
      'testing/fixtures',
      'service/sandbox',
      'testing/servers',
      'service/shared',
      'service/store',
      'service/watch',
      'service/work/jobs',
      'setup/from-sources.ts',
    ],
  },
  {
    place: 'e2e',
    // Builds what it tests, makes files, prepares accounts, and starts servers for a service.
    code: [
      'setup/build.ts',
      'renderer/messages',
      'service/accounts',
      'service/host/core.ts',
      'service/store/open.ts',
      'testing/fixtures',
      'testing/servers',
    ],
    types: ['electron/ipc.ts'],
  },
  { place: bothSides },
  ...serviceRules,
]

/** Files, and a place that nothing that they load at once may be in. */
export const neverReaches = [
  {
    // What is loaded into the service's process.
    starts: ['service/host/host.ts', 'electron/main.ts'],
    place: 'service/convert/engines',
    // The table of text formats, which loads them lazily.
    but: 'service/convert/engines/documents/index.ts',
  },
  {
    // Texts without pictures need neither PDFium nor the writers of PDF, which take longer to load than a text to convert.
    starts: [
      'service/convert/converters/documents/text/work.ts',
      'service/convert/converters/documents/typeset/work.ts',
    ],
    place: 'service/convert/engines/pdf',
  },
] as const
