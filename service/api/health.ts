import { version } from '../config.ts'
import { describeEngine } from '../http/engine-description.ts'
import type { Routes } from '../http/schema.ts'
import type { Services } from '../services.ts'

/** No worker has started yet. */
const unknown = { files: null, systemCalls: null, network: null }

/** `GET /health`: whether the service is up, and each engine with its version. Needs no key and tells no secret. */
export function healthRoutes(app: Routes, services: Services): void {
  app.get('/health', { schema: { hide: true } }, async () => ({
    status: 'ok',
    version,
    engines: (await services.engines.all()).map(describeEngine),
    sandbox: services.pool.confinement ?? unknown,
  }))
  app.get('/health/live', { schema: { hide: true } }, async () => ({ status: 'ok' }))
}
