import type { FastifyReply, FastifyRequest } from 'fastify'
import { RequestError } from '../../shared/errors.ts'
import type { SessionRole, SessionToken } from '../../store/interfaces/accounts.ts'
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
const sessionCookie = (host = ''): string => `refile_session_${/:(\d+)$/.exec(host)?.[1] ?? DEFAULT_PORT}`

/**
 * The header of a session's cookie, which scripts cannot read and no other site sends.
 * @param seconds how long the browser keeps it; by default until it is closed, and with 0 it forgets it
 */
export function newSessionCookie(request: FastifyRequest, value: string, seconds?: number): string {
  const secure = isTls(request) ? '; Secure' : ''
  const age = seconds === undefined ? '' : `; Max-Age=${seconds}`
  return `${sessionCookie(request.headers.host)}=${value}; HttpOnly; SameSite=Strict; Path=/${age}${secure}`
}

/** Whether the browser's connection is under TLS, of which only a trusted proxy can know. */
export const isTls = ({ protocol }: FastifyRequest): boolean => protocol === 'https'

/** The header with the page's half of its session's token. */
const SESSION_HEADER = 'x-service-session'

/** What a program sends to use a session, other than a browser. */
export const sessionHeaders = (host: string, { cookie, page }: SessionToken): Record<string, string> => ({
  cookie: `${sessionCookie(host)}=${cookie}`,
  [SESSION_HEADER]: page,
})

/** Gives a new session to the browser. @returns the address of the page, which keeps the half of the token that is in its fragment */
export function openSession(
  request: FastifyRequest,
  reply: FastifyReply,
  { cookie, page }: SessionToken,
  seconds?: number,
): string {
  reply.header('set-cookie', newSessionCookie(request, cookie, seconds))
  return `/#session=${page}`
}

/**
 * The page's half of a session's token: in a header, or in the query of what the browser itself requests for the page: pictures,
 * media files, downloads and live events.
 */
function pageHalfOf({ headers, query }: FastifyRequest): string | undefined {
  const half = headers[SESSION_HEADER] ?? (query as { session?: unknown }).session
  return typeof half === 'string' ? half : undefined
}

/** The caller of a first-party request, identified by both halves of its session's token. */
export async function sessionCaller(
  request: FastifyRequest,
  services: Services,
): Promise<Caller | undefined> {
  const page = pageHalfOf(request)
  if (page === undefined) return undefined
  const name = sessionCookie(request.headers.host)
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, cookie = ''] = pair.trim().split('=')
    const holder = key === name ? await services.sessions.holderOf({ cookie, page }) : undefined
    if (holder) return { ...holder, keyId: null, guest: false, origin: 'app' }
  }
  return undefined
}

/** The key of a request, in any of the ways in which the clients of other services send theirs. */
function givenKey({ headers }: FastifyRequest): string | undefined {
  const own = headers['x-service-api-key'] ?? headers['x-api-key']
  if (typeof own === 'string') return own
  const [, scheme = '', value = ''] = /^(bearer|basic) +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (scheme.toLowerCase() === 'bearer') return value
  // A password, whoever it is said to be of (RFC 7617).
  return (
    scheme &&
    Buffer.from(value, 'base64')
      .toString()
      .replace(/^[^:]*:/, '')
  )
}

async function keyCaller(
  request: FastifyRequest,
  services: Services,
  key: unknown = request.headers['x-service-api-key'],
): Promise<Caller | undefined> {
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

/** A key alone, however it is sent. */
export const programCaller: Identify = (request, services) => keyCaller(request, services, givenKey(request))

/** Checks that somebody makes a request, who is its caller from then on. */
export const signIn =
  (who: Identify, refused: 'api_key.invalid_or_ip_not_allowed' | 'session.required', services: Services) =>
  async (request: FastifyRequest): Promise<void> => {
    const caller = await who(request, services)
    if (!caller) throw new RequestError(refused)
    request.caller = caller
    request.isStillValid = async () => (await who(request, services))?.accountId === caller.accountId
  }
