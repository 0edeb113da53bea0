import statics from '@fastify/static'
import { forRole } from '../http/access.ts'
import { accountRoutes } from '../http/administration.ts'
import type { Routes } from '../http/schema.ts'
import type { Services } from '../services.ts'
import { batchRoutes } from './batches.ts'
import { creditRoutes } from './credits.ts'
import { destinationRoutes } from './destinations.ts'
import { eventRoutes } from './events.ts'
import { fileRoutes } from './files.ts'
import { historyRoutes } from './history.ts'
import { appJobRoutes } from './jobs.ts'
import { keyRoutes } from './keys.ts'
import { modelRoutes } from './models.ts'
import { presetRoutes } from './presets.ts'
import { previewRoutes } from './preview.ts'
import { openRoutes, sessionRoutes } from './session.ts'
import { settingRoutes } from './settings.ts'
import { signInRoutes } from './sign-in.ts'
import { watchRoutes } from './watch.ts'
import { webhookRoutes } from './webhooks.ts'

const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** The first-party routes, and the page itself if it has been built. */
export async function appRoutes(
  app: Routes,
  services: Services,
  rendererFolder: string | undefined,
): Promise<void> {
  openRoutes(app, services)
  signInRoutes(app, services)
  sessionRoutes(app, services)
  await app.register(async scope => fileRoutes(scope, services))
  batchRoutes(app, services)
  destinationRoutes(app, services)
  settingRoutes(app, services)
  appJobRoutes(app, services)
  historyRoutes(app, services)
  creditRoutes(app, services)
  keyRoutes(app, services)
  modelRoutes(app, services)
  presetRoutes(app, services)
  previewRoutes(app, services)
  watchRoutes(app, services)
  webhookRoutes(app, services)
  eventRoutes(app, services)
  accountRoutes(forRole('owner', app), services, '/app/accounts')
  if (rendererFolder === undefined) return
  await app.register(async page => pageRoutes(page, rendererFolder))
}

/** The files of the page, which are public like /openapi.json. */
async function pageRoutes(page: Routes, root: string): Promise<void> {
  page.role = 'anyone'
  await page.register(statics, {
    root,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header('content-security-policy', CONTENT_SECURITY_POLICY)
      reply.header('referrer-policy', 'no-referrer')
      reply.header('cross-origin-opener-policy', 'same-origin')
      reply.header('cross-origin-resource-policy', 'same-origin')
      // Vite puts a content hash into the names under assets/.
      const forever = /[\\/]assets[\\/]/.test(path)
      reply.header('cache-control', forever ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  page.get('/reference', async (_request, reply) => reply.sendFile('reference.html'))
}
