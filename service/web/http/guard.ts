import type { FastifyReply, FastifyRequest } from 'fastify'
import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import { authorities, isNamed, isOwn, type Listening, originOf } from './hosts.ts'
import type { Routes } from './schema.ts'

/** `Sec-Fetch-Site` of requests by the page itself, and of addresses typed into the address bar. */
const ownSites = new Set<unknown>([undefined, 'same-origin', 'none'])

/**
 * Where a link of another site may lead, such as one in a webmail, in a file that opens the app, or back from a provider of
 * identities: pages that change nothing by being opened without a token of their own.
 */
const entrances = new Set(['/', '/open', '/sign-in', '/sign-in/return'])

const isEntrance = ({ method, url, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  entrances.has(url.split('?', 1)[0]!) &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document'

/**
 * Keeps web pages and other hosts out, before anything else is checked: the Host header must be ours (a rebound DNS name
 * is not), and so must the Origin if there is one. A page on another port of this machine is foreign.
 */
export function guardOrigin(
  app: Routes,
  listening: () => Listening,
  allowedHosts: readonly string[],
  letIn: LetIn,
): void {
  app.addHook('onRequest', async (request, reply) => {
    const { host = '', origin, 'sec-fetch-site': site } = request.headers
    // Node uses the first of several Host headers; a proxy in front of this service may use another (RFC 9112, section
    // 3.2).
    if ((request.raw.headersDistinct.host?.length ?? 0) > 1) throw new RequestError('request.malformed')
    const own = authorities(targetAuthority(request.originalUrl) ?? host).filter(authority =>
      isOwn(authority, listening(), allowedHosts),
    )
    if (own.length === 0) throw new RequestError('request.forbidden_origin', message('request.foreign_host'))
    if (origin && letIn.origins.includes(origin) && letIn.isRoute(request.url))
      return letPageIn(request, reply, origin)
    const foreign = origin !== undefined && !isFrom(originOf(origin), own, allowedHosts)
    if (foreign || !(ownSites.has(site) || isEntrance(request)))
      throw new RequestError('request.forbidden_origin')
  })
}

/** Pages within programs that the owner lets in, which have a key, and where. */
interface LetIn {
  origins: readonly string[]
  isRoute: (url: string) => boolean
}

/** Says to a browser that this page may ask and read the answer, without cookies: https://fetch.spec.whatwg.org/#http-cors-protocol */
function letPageIn(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  origin: string,
): FastifyReply | undefined {
  reply.headers({ 'access-control-allow-origin': origin, vary: 'origin' })
  if (method !== 'OPTIONS') return undefined
  return reply
    .code(204)
    .headers({
      'access-control-allow-methods': 'GET, POST, PUT',
      'access-control-allow-headers': headers['access-control-request-headers'] ?? '',
      'access-control-allow-private-network': 'true',
    })
    .send()
}

/** Whether an Origin is that of the page itself: under https only where a proxy in front of the service has a name the owner allows. */
const isFrom = (
  origin: ReturnType<typeof originOf>,
  own: readonly string[],
  allowed: readonly string[],
): boolean =>
  origin !== undefined &&
  own.includes(origin.authority) &&
  (!origin.isTls || isNamed(origin.authority, allowed))

/** The host of a request target in absolute form, as sent to proxies; it replaces the Host header (RFC 9112, section 3.2.2). */
const targetAuthority = (url: string): string | undefined => /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1]
