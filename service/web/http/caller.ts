import type { FastifyRequest } from 'fastify'
import { RequestError } from '../../shared/errors.ts'
import type { SessionRole } from '../../store/interfaces/accounts.ts'
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
  /** The owner of the service may use its machine: folders, models, other accounts. Programs never may. */
  role: SessionRole
  /** The session of the page, if it is one. */
  sessionId?: string
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

/**
 * The header of a new session's cookie, which scripts cannot read and no other site sends.
 * @param seconds how long the browser keeps it; by default until it is closed, and with 0 it forgets it
 */
export function newSessionCookie(
  { headers, protocol }: FastifyRequest,
  token: string,
  seconds?: number,
): string {
  const secure = protocol === 'https' ? '; Secure' : ''
  const age = seconds === undefined ? '' : `; Max-Age=${seconds}`
  return `${sessionCookie(headers.host)}=${token}; HttpOnly; SameSite=Strict; Path=/${age}${secure}`
}

/** The caller of a first-party request, identified by the session cookie alone. */
export async function sessionCaller(
  request: FastifyRequest,
  services: Services,
): Promise<Caller | undefined> {
  const name = sessionCookie(request.headers.host)
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value = ''] = pair.trim().split('=')
    const holder = key === name ? await services.sessions.holderOf(value) : undefined
    if (holder) return { ...holder, keyId: null, guest: false, origin: 'app' }
  }
  return undefined
}

async function keyCaller(request: FastifyRequest, services: Services): Promise<Caller | undefined> {
  const key = request.headers['x-service-api-key']
  const holder = typeof key === 'string' ? await services.keys.verify(key, request.ip) : undefined
  return holder && { ...holder, origin: 'api', role: 'member' }
}

/** Identifies the caller of a request; undefined if there is none. */
type Identify = (request: FastifyRequest, services: Services) => Promise<Caller | undefined>

/** An API key, or the session of the page when no key is sent. */
export const anyCaller: Identify = (request, services) =>
  request.headers['x-service-api-key'] === undefined
    ? sessionCaller(request, services)
    : keyCaller(request, services)

/** Checks that somebody makes a request, who is its caller from then on. */
export const signIn =
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
