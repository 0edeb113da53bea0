import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { RequestError } from '../../shared/errors.ts'
import type { Services } from '../services.ts'
import { isOperator } from './administration.ts'
import { anyCaller, programCaller, sessionCaller, signIn } from './caller.ts'
import type { Routes } from './schema.ts'

/**
 * Who may use a route: `anyone`; whoever has the `link` that the route checks, or an account; an `account` by its key or by a
 * session of the page; a `program` by a key, however it sends it; a `member`, which is any session of the page; the `owner` of the service, which is a session opened on its
 * own machine; the `operator` with the key of REFILE_ADMIN_KEY.
 */
export type Role = 'anyone' | 'link' | 'account' | 'program' | 'member' | 'owner' | 'operator'

declare module 'fastify' {
  interface FastifyInstance {
    /** Who may use the routes that are added here. */
    role?: Role
    /** Every route, such as `DELETE /app/history/:id`, with its role. */
    roles: Map<string, Role>
  }
}

/** The same server or scope, where every route that is added is for a role. */
export const forRole = (role: Role, app: Routes): Routes => Object.create(app, { role: { value: role } })

/** Checks the callers of all routes that are added after this call, before anything else of the route; none can be without a role. */
export function controlAccess(app: Routes, services: Services): void {
  const checks = checksOf(services)
  const roles = new Map<string, Role>()
  app.decorate('roles', roles)
  app.addHook('onRoute', function (route) {
    for (const method of [route.method].flat()) {
      const name = `${method === 'HEAD' ? 'GET' : method} ${route.url}`
      if (this.role === undefined) throw new Error(`${name} has no role: add it to forRole(…, app).`)
      roles.set(name, this.role)
      route.onRequest = [checks[this.role], ...[route.onRequest ?? []].flat()]
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
    program: signIn(programCaller, 'api_key.invalid_or_ip_not_allowed', services),
    member,
    owner: async request => {
      await member(request)
      // For everybody else there is nothing here.
      if (request.caller.role !== 'owner') throw new RequestError('request.not_found')
    },
    operator: async request => {
      if (isOperator(request, services)) return
      throw new RequestError('api_key.invalid_or_ip_not_allowed')
    },
  }
}

/** Whether a destination is a folder of the machine that the service runs on. */
export const isOfHost = (place: { kind?: string } | undefined): boolean =>
  place !== undefined && place.kind !== 'keep'

/** For routes of members whose body may name a file or folder of the machine: then they are the owner's. */
export const ownersIf = <Body>(isOwners: (body: Body) => boolean) => ({
  preHandler: async ({ body, caller }: FastifyRequest): Promise<void> => {
    if (caller.role !== 'owner' && isOwners(body as Body)) throw new RequestError('session.not_owner')
  },
})

const hasLink = ({ query }: FastifyRequest) => (query as { token?: string }).token !== undefined
