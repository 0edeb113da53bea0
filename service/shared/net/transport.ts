import dns from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isLiteralAddress, isPublicAddress } from './addresses.ts'
import { privateAddress } from './errors.ts'

/** Makes one request without following redirects. */
export type Transport = (
  url: URL,
  init: { method: string; headers: Record<string, string>; signal: AbortSignal; body?: string | undefined },
) => Promise<Pick<Response, 'status' | 'headers' | 'body'>>

export type Resolver = (
  host: string,
  options: dns.LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: dns.LookupAddress[]) => void,
) => void

/** How names and addresses become connections; defaults to the machine's own. */
export interface Network {
  resolve?: Resolver
  /** Where to connect for an address that has passed the check; tests redirect it to their own server. */
  route?: (address: string) => string
  /** Certificate authority to trust, as PEM, instead of the usual ones. */
  ca?: string
}

const CONNECT_TIMEOUT_MS = 10_000

/** A name look-up that fails if any address of the name is not public. */
export const guardedLookup =
  ({ resolve = dns.lookup, route = address => address }: Network = {}): LookupFunction =>
  (host, options, callback) =>
    resolve(host, { ...options, all: true }, (error, addresses) => {
      const allPublic = addresses?.length > 0 && addresses.every(({ address }) => isPublicAddress(address))
      const problem = error ?? (allPublic ? null : privateAddress(host))
      if (problem) return callback(problem, '', 0)
      const routed = addresses.map(({ address, family }) => {
        const to = route(address)
        return { address: to, family: to === address ? family : 4 }
      })
      const [first] = routed
      if (options.all) callback(null, routed)
      else if (first) callback(null, first.address, first.family)
    })

/** Makes requests with undici, over connections that only reach public addresses. */
export function guardedTransport(network: Network = {}): Transport {
  let client: Promise<Transport> | undefined
  return async (url, init) => {
    client ??= guardedClient(network)
    return (await client)(url, init)
  }
}

/** Loads undici on first use; a service that makes no requests does not need it in memory. */
async function guardedClient({ ca, ...network }: Network): Promise<Transport> {
  const { Agent, buildConnector, fetch } = await import('undici')
  const connect = buildConnector({
    lookup: guardedLookup(network),
    timeout: CONNECT_TIMEOUT_MS,
    ...(ca === undefined ? {} : { ca }),
  })
  const dispatcher = new Agent({
    // No look-up runs for literal addresses, so they are checked here as well.
    connect: (options, callback) =>
      isLiteralAddress(options.hostname)
        ? callback(privateAddress(options.hostname), null)
        : connect(options, callback),
  })
  return (url, { body = null, ...init }) =>
    fetch(url, { ...init, body, redirect: 'manual', dispatcher }) as unknown as ReturnType<Transport>
}
