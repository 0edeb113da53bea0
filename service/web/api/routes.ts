import { forRole } from '../http/access.ts'
import { accountRoutes } from '../http/administration.ts'
import type { Routes } from '../http/schema.ts'
import type { Services } from '../services.ts'
import { catalogueRoutes } from './catalogue.ts'
import { convertRoutes } from './convert.ts'
import { downloadRoutes } from './download.ts'
import { entitlementRoutes } from './entitlements.ts'
import { estimateRoutes } from './estimate.ts'
import { fileRoutes } from './file.ts'
import { healthRoutes } from './health.ts'
import { inspectRoutes } from './inspect.ts'
import { jobRoutes } from './jobs.ts'
import { metricRoutes } from './metrics.ts'
import { describeApi } from './openapi.ts'
import { presetRoutes } from './presets.ts'
import { schemaRoutes } from './schema.ts'

/** The contract's routes, the OpenAPI document and the service's health. */
export async function apiRoutes(app: Routes, services: Services): Promise<void> {
  describeApi(app, services.url)
  healthRoutes(app, services)
  if (services.config.metrics) metricRoutes(app, services)
  downloadRoutes(app, services)
  // For whoever has the key of the setting REFILE_ADMIN_KEY.
  if (services.config.adminKey) accountRoutes(forRole('operator', app), services, '/admin/accounts')
  convertRoutes(app, services)
  fileRoutes(app, services)
  jobRoutes(app, services)
  catalogueRoutes(app, services)
  estimateRoutes(app, services)
  inspectRoutes(app, services)
  schemaRoutes(app, services)
  presetRoutes(app, services)
  entitlementRoutes(app, services)
}
