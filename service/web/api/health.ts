import { version } from '../../shared/config.ts'
import { forRole } from '../http/access.ts'
import { describeEngine } from '../http/engine-description.ts'
import { RETRY_SECONDS } from '../http/readiness.ts'
import type { Routes } from '../http/schema.ts'
import type { Services } from '../services.ts'

/** No worker has started yet. */
const unknown = { files: null, systemCalls: null, network: null }

/**
 * `GET /health` lists each engine with its version; `/health/live` says whether the service is up; `/health/ready` says whether
 * it should get requests, and answers 503 while it drains or cannot reach a store. None of them needs a key or reveals a secret.
 */
export function healthRoutes(app: Routes, services: Services): void {
  const anyone = forRole('anyone', app)
  anyone.get('/health', { schema: { hide: true } }, async () => ({
    status: 'ok',
    version,
    engines: (await services.engines.all()).map(describeEngine),
    sandbox: services.pool.confinement ?? unknown,
  }))
  anyone.get('/health/ready', { schema: { hide: true } }, async (_request, reply) => {
    const status = await services.readiness.state()
    if (status !== 'ready') reply.code(503).header('retry-after', String(RETRY_SECONDS))
    return { status }
  })
  anyone.get('/health/live', { schema: { hide: true } }, async () => ({ status: 'ok' }))
}
