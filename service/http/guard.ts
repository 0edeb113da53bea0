import { RequestError } from '../errors.ts'
import { message } from '../messages/message.ts'
import { authority, isOwn, type Listening } from './hosts.ts'
import type { Routes } from './schema.ts'

/** What `Sec-Fetch-Site` says of requests by the page itself, and of those a person makes in the address bar. */
const ownSites = new Set<unknown>([undefined, 'same-origin', 'none'])

/**
 * Keeps web pages and other hosts out, before anything else is looked at: the Host header must be ours (a
 * rebound DNS name is not), and so must the Origin when there is one. A page on another port of this machine is foreign.
 */
export function guardOrigin(app: Routes, listening: () => Listening, allowedHosts: readonly string[]): void {
  app.addHook('onRequest', async request => {
    const { host = '', origin, 'sec-fetch-site': site } = request.headers
    // Node goes by the first of several; whoever stands before this service may go by another (RFC 9112, section 3.2).
    if ((request.raw.headersDistinct.host?.length ?? 0) > 1) throw new RequestError('request.malformed')
    const own = authority(targetAuthority(request.originalUrl) ?? host)
    if (!isOwn(own, listening(), allowedHosts)) {
      throw new RequestError('request.forbidden_origin', message('request.foreign_host'))
    }
    const foreign = origin !== undefined && originAuthority(origin) !== own
    if (foreign || !ownSites.has(site)) throw new RequestError('request.forbidden_origin')
  })
}

/** The host that an address in full names, as clients send it to proxies; it counts instead of the header (RFC 9112, section 3.2.2). */
const targetAuthority = (url: string): string | undefined => /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1]

/** The authority of an Origin, which this service has over plain HTTP only. */
const originAuthority = (origin: string): string | undefined =>
  origin.toLowerCase().startsWith('http://') ? authority(origin.slice('http://'.length)) : undefined
