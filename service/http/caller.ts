import type { FastifyRequest } from 'fastify'
import { RequestError } from '../errors.ts'
import type { Services } from '../services.ts'

/** Who makes a request. */
export interface Caller {
  accountId: string
  /** A guest may not convert from a URL. */
  guest: boolean
  origin: 'api' | 'app'
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

/** Name of the session cookie. Cookies ignore ports, so that each instance needs a name of its own. */
export const sessionCookie = (services: Services): string => `refile_session_${new URL(services.url()).port}`

/** The caller of a first-party request, by the session cookie alone. */
export async function sessionCaller(
  request: FastifyRequest,
  services: Services,
): Promise<Caller | undefined> {
  const name = sessionCookie(services)
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value = ''] = pair.trim().split('=')
    const accountId = key === name ? await services.sessions.accountOf(value) : undefined
    if (accountId) return { accountId, guest: false, origin: 'app' }
  }
  return undefined
}

async function keyCaller(request: FastifyRequest, services: Services): Promise<Caller | undefined> {
  const key = request.headers['x-service-api-key']
  const holder = typeof key === 'string' ? await services.keys.verify(key, request.ip) : undefined
  return holder && { ...holder, origin: 'api' }
}

/** Hook for contract routes: an API key, or the app's session when no key is sent. */
export const authenticate = (services: Services) => async (request: FastifyRequest) => {
  const sent = request.headers['x-service-api-key'] !== undefined
  const caller = await (sent ? keyCaller(request, services) : sessionCaller(request, services))
  if (!caller) {
    throw new RequestError('api_key.invalid_or_ip_not_allowed')
  }
  request.caller = caller
}

/** Hook for first-party routes: the app's session and nothing else. */
export const authenticateApp = (services: Services) => async (request: FastifyRequest) => {
  const caller = await sessionCaller(request, services)
  if (!caller) throw new RequestError('session.required')
  request.caller = caller
}
