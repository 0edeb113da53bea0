import type { FastifyRequest } from 'fastify'
import { RequestError } from '../../shared/errors.ts'
import type { Services } from '../services.ts'
import { DEFAULT_PORT } from './hosts.ts'

/** The caller of a request. */
export interface Caller {
  accountId: string
  /** The API key of the request; null for the page. */
  keyId: string | null
  /** Guests may not convert from a URL. */
  guest: boolean
  origin: 'api' | 'app'
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
    /** Whether the key or session of the request is still valid. */
    isStillValid(): Promise<boolean>
  }
}

/**
 * Name of the session cookie. Cookies ignore ports, so that each instance needs a name of its own: by the port that the browser
 * knows, which is the balancer's where one stands before several hosts.
 */
export const sessionCookie = (host = ''): string =>
  `refile_session_${/:(\d+)$/.exec(host)?.[1] ?? DEFAULT_PORT}`

/** The caller of a first-party request, identified by the session cookie alone. */
export async function sessionCaller(
  request: FastifyRequest,
  services: Services,
): Promise<Caller | undefined> {
  const name = sessionCookie(request.headers.host)
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value = ''] = pair.trim().split('=')
    const accountId = key === name ? await services.sessions.accountOf(value) : undefined
    if (accountId) return { accountId, keyId: null, guest: false, origin: 'app' }
  }
  return undefined
}

async function keyCaller(request: FastifyRequest, services: Services): Promise<Caller | undefined> {
  const key = request.headers['x-service-api-key']
  const holder = typeof key === 'string' ? await services.keys.verify(key, request.ip) : undefined
  return holder && { ...holder, origin: 'api' }
}

/** Identifies the caller of a request; undefined if there is none. */
type Identify = (request: FastifyRequest, services: Services) => Promise<Caller | undefined>

const identify: Identify = (request, services) =>
  request.headers['x-service-api-key'] === undefined
    ? sessionCaller(request, services)
    : keyCaller(request, services)

const callerBy =
  (who: Identify, refused: 'api_key.invalid_or_ip_not_allowed' | 'session.required', services: Services) =>
  async (request: FastifyRequest): Promise<void> => {
    const caller = await who(request, services)
    if (!caller) {
      if (request.headers['x-service-api-key'] !== undefined) await services.keys.wrong.turn(request.ip)
      throw new RequestError(refused)
    }
    request.caller = caller
    request.isStillValid = async () => (await who(request, services))?.accountId === caller.accountId
  }

/** Hook for contract routes: an API key, or the app's session when no key is sent. */
export const authenticate = (services: Services) =>
  callerBy(identify, 'api_key.invalid_or_ip_not_allowed', services)

/** Hook for first-party routes: only the app's session is accepted. */
export const authenticateApp = (services: Services) => callerBy(sessionCaller, 'session.required', services)

/** Whether a caller's account is the owner's. */
export const isOwner = async ({ accounts }: Services, { accountId }: Caller): Promise<boolean> =>
  (await accounts.owner()).id === accountId

/** Hook for routes of the owner alone, which for everybody else do not exist. */
export const ownerOnly =
  (services: Services) =>
  async ({ caller }: FastifyRequest): Promise<void> => {
    if (!(await isOwner(services, caller))) throw new RequestError('request.not_found')
  }
