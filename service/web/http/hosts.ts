import { hostname, networkInterfaces } from 'node:os'

/** The address the service listens on. */
export interface Listening {
  host: string
  port: number
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/** Port of addresses that name none; see RFC 9110, section 4.2.1. */
export const DEFAULT_PORT = 80
/** The same for addresses under https, as the page has them behind a proxy that ends TLS; see RFC 9110, section 4.2.2. */
const TLS_PORT = 443

const hasPort = (text: string) => /:\d+$/.test(text)

/** What a Host header can mean, in lower case and with a port: without one, the default port of either scheme. */
export const authorities = (host: string): string[] =>
  (hasPort(host) ? [host] : [`${host}:${DEFAULT_PORT}`, `${host}:${TLS_PORT}`]).map(text =>
    text.toLowerCase(),
  )

/** An Origin's host and port in lower case, and its scheme; undefined for other schemes and for `null`. */
export function originOf(text: string): { authority: string; isTls: boolean } | undefined {
  const [, scheme, rest = ''] = /^(https?):\/\/(.+)$/i.exec(text) ?? []
  if (scheme === undefined) return undefined
  const isTls = scheme.toLowerCase() === 'https'
  const authority = hasPort(rest) ? rest : `${rest}:${isTls ? TLS_PORT : DEFAULT_PORT}`
  return { authority: authority.toLowerCase(), isTls }
}

/** Whether the owner allows this authority by its name and port. */
export const isNamed = (authority: string, allowed: readonly string[]): boolean =>
  allowed.some(name => hasPort(name) && name.toLowerCase() === authority)

/**
 * Whether an authority names this service: always for loopback; for every address and name of this machine when the
 * service listens on the network; and for the names the owner allows, with the service's own port where they specify
 * none. A name that merely resolves to this machine is foreign, since any web page can have one (DNS rebinding).
 */
export function isOwn(host: string, { host: bound, port }: Listening, allowed: readonly string[]): boolean {
  const own = (names: readonly string[]) => names.some(name => `${name.toLowerCase()}:${port}` === host)
  if (own([...LOOPBACK, inUrl(bound), ...allowed]) || isNamed(host, allowed)) return true
  // Looked up each time, since addresses change while the service runs.
  return !isLoopback(bound) && own(namesOfMachine())
}

/** An address as written in a URL. */
export const inUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address)

/** Whether only this machine can reach a service that listens there. */
export const isLoopback = (host: string): boolean =>
  /^127\./.test(host) || host === '::1' || host === 'localhost'

function namesOfMachine(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap(found => found ?? [])
  const name = hostname()
  return [...addresses.map(({ address }) => inUrl(address)), name, `${name}.local`]
}
