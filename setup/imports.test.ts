import { expect, test } from 'vitest'
import { testFull } from '../testing/describe-full.ts'
import { cycles, forbidden, reached } from './imports/check.ts'
import { type Import, importsOf, readImports } from './imports/graph.ts'
import { neverReaches, rules } from './imports/rules.ts'
import { root } from './root.mjs'

const planted = (from: string, line: string) => forbidden(importsOf(from, line), rules)

test('imports are read with their kind: code, types, or loaded later', () => {
  const source = `
    import { a, type B } from './code.ts'
    import type { C } from '../types.ts'
    import { type D } from './types-too.ts'
    import './effect.css'
    import 'a-package'
    export * from './again.ts'
    export type { E } from './types-again.ts'
    export const load = () => import('./lazy.ts')`
  expect(importsOf('service/room/file.ts', source)).toEqual(
    (
      [
        ['service/room/code.ts', 'code'],
        ['service/types.ts', 'types'],
        ['service/room/types-too.ts', 'types'],
        ['service/room/effect.css', 'code'],
        ['service/room/again.ts', 'code'],
        ['service/room/types-again.ts', 'types'],
        ['service/room/lazy.ts', 'lazy'],
      ] as const
    ).map(([to, kind]) => ({ from: 'service/room/file.ts', to, kind })),
  )
})

test.each([
  ['renderer/jobs/store.ts', "import { NewBatch } from '../../service/web/app/types.ts'"],
  ['renderer/jobs/store.ts', "import type { Job } from '../../service/work/jobs/job.ts'"],
  ['renderer/convert/state/store.ts', "import { useSession } from '../../shell/session.ts'"],
  ['renderer/credits/store.ts', "import { rail } from '../shell/Rail.tsx'"],
  ['renderer/convert/state/store.ts', "import { FileRow } from '../table/FileRow.tsx'"],
  ['e2e/help/app.ts', "import { startService } from '../../service/host/host.ts'"],
  ['setup/serve.ts', "import { testService } from '../testing/service.ts'"],
  ['setup/imports/check.ts', "import { JobFailure } from '../../service/shared/errors.ts'"],
  ['electron/main.ts', "import { Jobs } from '../service/work/jobs/jobs.ts'"],
  ['service/web/api/jobs.ts', "import { appJob } from '../app/views.ts'"],
  ['service/web/app/jobs.ts', "import type { JobStatusResponse } from '../api/shapes.ts'"],
  ['service/web/http/replies.ts', "import { ErrorResponse } from '../api/shapes.ts'"],
  ['service/web/api/jobs.ts', "const load = () => import('../../convert/converters/images/index.ts')"],
  ['service/work/jobs/runner.ts', "import { prepare } from '../intake/prepare.ts'"],
  ['service/work/jobs/runner.ts', "import { Database } from '../../store/sqlite/database.ts'"],
  ['service/sandbox/workers/pool.ts', "import { converters } from '../../convert/converters/index.ts'"],
  ['service/sandbox/workers/entry.ts', "import { load } from '../../convert/engines/pictures/sharp/load.ts'"],
  [
    'service/convert/converters/images/index.ts',
    "import type { WorkerPool } from '../../../../sandbox/workers/pool.ts'",
  ],
  [
    'service/convert/engines/pictures/bmp/read.ts',
    "import type { TaskInput } from '../../catalogue/task.ts'",
  ],
  ['service/convert/catalogue/catalogue.ts', "import { converters } from '../converters/index.ts'"],
  ['service/store/interfaces/jobs.ts', "import { Jobs } from '../../work/jobs/jobs.ts'"],
  ['service/a-new-room/file.ts', "import { version } from '../shared/config.ts'"],
])('%s may not: %s', (from, line) => {
  expect(planted(from, line)).toHaveLength(1)
})

test.each([
  ['renderer/jobs/store.ts', "import type { NewBatch } from '../../service/web/app/types.ts'"],
  ['service/web/http/server.ts', "import { apiRoutes } from '../api/routes.ts'"],
  ['service/sandbox/workers/entry.ts', "import { converters } from '../../convert/converters/index.ts'"],
  [
    'service/convert/engines/pictures/bmp/read.ts',
    "import { JobFailure } from '../../../../shared/errors.ts'",
  ],
])('%s may: %s', (from, line) => {
  expect(planted(from, line)).toEqual([])
})

const chain = (...edges: [from: string, to: string, kind?: Import['kind']][]): Import[] =>
  edges.map(([from, to, kind = 'code']) => ({ from, to, kind }))

test('an engine that is loaded with the service is found, with the chain of imports', () => {
  const direct = chain(
    ['service/host/host.ts', 'service/a.ts'],
    ['service/a.ts', 'service/b.ts'],
    ['service/b.ts', 'service/convert/engines/x/x.ts'],
  )
  expect(reached(direct, 'service/host/host.ts', neverReaches[0].place)).toEqual([
    'service/host/host.ts → service/a.ts → service/b.ts → service/convert/engines/x/x.ts',
  ])
  const later = chain(
    ['service/host/host.ts', 'service/a.ts'],
    ['service/a.ts', 'service/convert/engines/x/x.ts', 'lazy'],
    ['service/host/host.ts', 'service/convert/engines/common/report.ts', 'types'],
  )
  expect(reached(later, 'service/host/host.ts', neverReaches[0].place)).toEqual([])
})

test('import cycles are found, including those of types', () => {
  const circle = chain(['a.ts', 'b.ts'], ['b.ts', 'c.ts', 'types'], ['c.ts', 'b.ts'], ['c.ts', 'd.ts'])
  expect(cycles(circle)).toEqual(['b.ts → c.ts → b.ts'])
  expect(cycles(chain(['a.ts', 'b.ts'], ['b.ts', 'a.ts', 'lazy']))).toEqual([])
})

testFull('all folders are checked', () => {
  const imports = readImports(root)
  const seen = new Set(imports.map(({ from }) => from.split('/').slice(0, -1).join('/')))
  for (const room of [
    'service/web/api',
    'service/convert/engines/pictures/bmp',
    'service/sandbox/workers',
    'renderer/jobs',
  ]) {
    expect(seen).toContain(room)
  }
})
