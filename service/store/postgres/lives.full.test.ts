import { describe } from 'vitest'
import { hasPostgres } from '../../../testing/servers/postgres.ts'
import { onSharedStores, useSharedStores } from '../../../testing/shared-stores.ts'

// All suites of services run on these stores with REFILE_TEST_STORES=postgres+s3; here are those of state and money.
describe.skipIf(!hasPostgres || onSharedStores())('on PostgreSQL and S3', async () => {
  useSharedStores()
  await import('../../work/jobs/charged.test.ts')
  await import('../../work/jobs/killed.full.test.ts')
  await import('../../work/jobs/life.test.ts')
})
