import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { message } from '../messages/message.ts'
import { isLiteralAddress, isPublicAddress } from './addresses.ts'
import { OutboundError, privateAddress } from './errors.ts'
import { nameResolver, type Resolver } from './resolver.ts'

/** Makes one request without following redirects. */
export type Transport = (
  url: URL,
  init: {
    method: string
    headers: Record<string, string>
    signal: AbortSignal
    body?: string | ReadableStream<Uint8Array> | undefined
  },
) => Promise<Pick<Response, 'status' | 'headers' | 'body'>>

/** How names and addresses become connections; defaults to the machine's own. */
export interface Network {
  resolve?: Resolver
  /** Where to connect for an address that has passed the check; tests redirect it to their own server. */
  route?: (address: string) => string
  /** A host that may have a private address. */
  ownHost?: string
  /** Certificate authority to trust, as PEM, instead of the usual ones. */
  ca?: string
}

const CONNECT_TIMEOUT_MS = 10_000

/** A name look-up that fails if any address of the name is not public. */
function guardedLookup({
  resolve = nameResolver(),
  route = address => address,
  ownHost,
}: Network): LookupFunction {
  const lookUp = async (host: string): Promise<LookupAddress[]> => {
    const addresses = await resolve(host).catch(error => {
      throw new OutboundError('dns_failure', message('network.dns_failure', { host }), { cause: error })
    })
    const mayGo = ({ address }: LookupAddress) => host === ownHost || isPublicAddress(address)
    if (addresses.length === 0 || !addresses.every(mayGo)) throw privateAddress(host)
    return addresses.map(({ address, family }) => {
      const to = route(address)
      return { address: to, family: to === address ? family : 4 }
    })
  }
  return (host, options, callback) =>
    void lookUp(host).then(
      addresses => {
        const [first] = addresses
        if (options.all) callback(null, addresses)
        else if (first) callback(null, first.address, first.family)
      },
      error => callback(error, '', 0),
    )
}

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
      options.hostname !== network.ownHost && isLiteralAddress(options.hostname)
        ? callback(privateAddress(options.hostname), null)
        : connect(options, callback),
  })
  return (url, { body = null, ...init }) =>
    fetch(url, {
      ...init,
      body,
      duplex: 'half',
      redirect: 'manual',
      dispatcher,
    }) as unknown as ReturnType<Transport>
}
