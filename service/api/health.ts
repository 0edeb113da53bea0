import { version } from '../config.ts'
import { describeEngine } from '../http/engine-description.ts'
import type { Routes } from '../http/schema.ts'
import type { Services } from '../services.ts'

/** `GET /health`: whether the service is up, and each engine with its version. Needs no key and tells no secret. */
export function healthRoutes(app: Routes, services: Services): void {
  app.get('/health', { schema: { hide: true } }, async () => ({
    status: 'ok',
    version,
    engines: (await services.engines.all()).map(describeEngine),
    sandbox: { systemCalls: services.pool.isConfined ?? null },
  }))
  app.get('/health/live', { schema: { hide: true } }, async () => ({ status: 'ok' }))
}
