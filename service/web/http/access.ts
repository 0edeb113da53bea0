import { Readable } from 'node:stream'
import type { FastifyRequest, onRequestAsyncHookHandler, preHandlerAsyncHookHandler } from 'fastify'
import { RequestError } from '../../shared/errors.ts'
import type { Services } from '../services.ts'
import { isOperator } from './administration.ts'
import { anyCaller, sessionCaller, signIn } from './caller.ts'
import type { Routes } from './schema.ts'

/**
 * Who may use a route: `anyone`; whoever has the `link` that the route checks, or an account; an `account` by its key or by a
 * session of the page; a `member`, which is any session of the page; the `owner` of the service, which is a session opened on its
 * own machine; the `operator` with the key of REFILE_ADMIN_KEY.
 */
export type Role = 'anyone' | 'link' | 'account' | 'member' | 'owner' | 'operator'

/** Every route of the service with its role. A service with a route that is not here does not start. */
export const routesOf: Readonly<Record<Role, readonly string[]>> = {
  anyone: [
    'GET /health',
    'GET /health/live',
    'GET /health/ready',
    'GET /metrics',
    'GET /open',
    'GET /openapi.json',
    'GET /reference',
    'GET /sign-in',
    'POST /sign-in',
    'GET /sign-in/start',
    'GET /sign-in/return',
    // The files of the page.
    'GET /*',
  ],
  link: ['GET /convert/job/:id/download'],
  account: [
    'POST /convert',
    'POST /convert/file',
    'GET /convert/jobs',
    'GET /convert/conversions',
    'GET /convert/conversions/:filter',
    'GET /convert/conversions/from/:format',
    'GET /convert/conversions/to/:format',
    'GET /convert/entitlements/me',
    'GET /convert/estimate/:from/:to',
    'GET /convert/job/:id',
    'DELETE /convert/job/:id',
    'POST /convert/job/:id/cancel',
    'GET /convert/job/:id/events',
    'GET /convert/presets',
    'GET /convert/schema',
    'GET /convert/schema/:from/:to',
  ],
  member: [
    'POST /app/batches',
    'GET /app/batches',
    'DELETE /app/batches/:id',
    'POST /app/batches/:id/cancel',
    'POST /app/batches/:id/files',
    'GET /app/batches/:id/items',
    'POST /app/batches/:id/items/:item/cancel',
    'POST /app/batches/:id/items/:item/move',
    'POST /app/batches/:id/move',
    'POST /app/batches/:id/pause',
    'POST /app/batches/:id/resume',
    'POST /app/batches/:id/retry',
    'GET /app/choices',
    'PUT /app/choices',
    'GET /app/credits',
    'POST /app/destinations/check',
    'GET /app/download',
    'GET /app/events',
    'POST /app/files',
    'GET /app/files',
    'DELETE /app/files/:id',
    'POST /app/files/find',
    'POST /app/files/join',
    'POST /app/files/remove',
    'POST /app/files/repeat',
    'GET /app/history',
    'DELETE /app/history/:id',
    'GET /app/history/:id/attempts',
    'GET /app/history/:id/targets',
    'POST /app/history/:id/reopen',
    'POST /app/history/clear',
    'POST /app/items/remove',
    'POST /app/jobs',
    'GET /app/jobs',
    'DELETE /app/jobs/:id',
    'POST /app/jobs/:id/cancel',
    'GET /app/jobs/:id/download',
    'POST /app/jobs/:id/retry',
    'GET /app/keys',
    'POST /app/keys',
    'PATCH /app/keys/:id',
    'DELETE /app/keys/:id',
    'GET /app/ledger',
    'GET /app/ledger.csv',
    'GET /app/missing',
    'GET /app/models',
    'GET /app/language-packs',
    'GET /app/presets',
    'POST /app/presets',
    'PUT /app/presets/:id',
    'DELETE /app/presets/:id',
    'POST /app/presets/:id/use',
    'GET /app/presets/export',
    'POST /app/presets/import',
    'POST /app/preview',
    'POST /app/preview/compare',
    'GET /app/preview/files/:id/:name',
    'GET /app/preview/media/:kind/:id',
    'GET /app/preview/thumbnail/:kind/:id',
    'GET /app/programs',
    'GET /app/session',
    'DELETE /app/session',
    'GET /app/sessions',
    'DELETE /app/sessions/:id',
    'GET /app/settings',
    'PUT /app/settings/destination',
    'GET /app/webhooks',
    'POST /app/webhooks/:id/replay',
  ],
  owner: [
    'GET /app/about',
    'GET /app/accounts',
    'POST /app/accounts',
    'PATCH /app/accounts/:id',
    'DELETE /app/accounts/:id',
    'POST /app/accounts/:id/sign-in',
    'POST /app/batches/:id/items/:item/save',
    'PUT /app/credits/auto-top-up',
    'POST /app/credits/top-up',
    'GET /app/folders',
    'POST /app/folders',
    'POST /app/models',
    'DELETE /app/models/:id',
    'POST /app/models/:id/cancel',
    'POST /app/models/:id/download',
    'POST /app/notice/dismiss',
    'POST /app/language-packs',
    'DELETE /app/language-packs/:id',
    'POST /app/language-packs/:id/cancel',
    'POST /app/language-packs/:id/download',
    'GET /app/saved',
    'GET /app/watch',
    'POST /app/watch',
    'PATCH /app/watch/:id',
    'DELETE /app/watch/:id',
    'POST /app/watch/:id/retry',
  ],
  operator: [
    'GET /admin/accounts',
    'POST /admin/accounts',
    'PATCH /admin/accounts/:id',
    'DELETE /admin/accounts/:id',
    'POST /admin/accounts/:id/sign-in',
  ],
}

type Place = { kind?: string } | undefined
const isOfHost = (place: Place) => place !== undefined && place.kind !== 'keep'

/** Routes of members whose body may name a file or folder of the machine that Refile runs on; then they are the owner's. */
export const namesFilesOfHost: Readonly<Record<string, (body: unknown) => boolean>> = {
  'POST /app/files': body => body !== undefined && !(body instanceof Readable),
  'POST /app/batches': body => isOfHost((body as { destination?: Place }).destination),
  'POST /app/destinations/check': body => isOfHost((body as { saveTo: Place }).saveTo),
  'PUT /app/settings/destination': body => isOfHost(body as Place),
}

const roles = new Map(
  Object.entries(routesOf).flatMap(([role, routes]) => routes.map(route => [route, role as Role] as const)),
)

/** Checks the callers of all routes that are added after this call, before anything else of the route. */
export function controlAccess(app: Routes, services: Services): void {
  const checks = checksOf(services)
  app.addHook('onRoute', route => {
    for (const method of [route.method].flat()) {
      const name = `${method === 'HEAD' ? 'GET' : method} ${route.url}`
      const role = roles.get(name)
      if (role === undefined) throw new Error(`${name} has no role in web/http/access.ts.`)
      route.onRequest = [checks[role], ...[route.onRequest ?? []].flat()]
      const isOwners = namesFilesOfHost[name]
      if (isOwners) route.preHandler = [ownersIf(isOwners), ...[route.preHandler ?? []].flat()]
    }
  })
}

function checksOf(services: Services): Record<Role, onRequestAsyncHookHandler> {
  const account = signIn(anyCaller, 'api_key.invalid_or_ip_not_allowed', services)
  const member = signIn(sessionCaller, 'session.required', services)
  return {
    anyone: async () => {},
    link: async request => {
      if (!hasLink(request)) await account(request)
    },
    account,
    member,
    owner: async request => {
      await member(request)
      // For everybody else there is nothing here.
      if (request.caller.role !== 'owner') throw new RequestError('request.not_found')
    },
    operator: async request => {
      if (isOperator(request, services)) return
      if (request.headers['x-service-api-key'] !== undefined) await services.keys.wrong.turn(request.ip)
      throw new RequestError('api_key.invalid_or_ip_not_allowed')
    },
  }
}

const ownersIf =
  (isOwners: (body: unknown) => boolean): preHandlerAsyncHookHandler =>
  async ({ body, caller }) => {
    if (caller.role !== 'owner' && isOwners(body)) throw new RequestError('session.not_owner')
  }

const hasLink = ({ query }: FastifyRequest) => (query as { token?: string }).token !== undefined
