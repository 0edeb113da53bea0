import { hostname, networkInterfaces } from 'node:os'

/** Where the service listens. */
export interface Listening {
  host: string
  port: number
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/** Port of addresses that name none; see RFC 9110, section 4.2.1. */
export const DEFAULT_PORT = 80

/** A Host header, or the part of an Origin behind its scheme, in one spelling: lower case and with its port. */
export const authority = (text: string): string =>
  /:\d+$/.test(text) ? text.toLowerCase() : `${text.toLowerCase()}:${DEFAULT_PORT}`

/**
 * Whether an authority names this service: loopback always; every address and name of this machine when the service
 * listens to the network; and the names the owner allows, with the service's own port where they give none. A name that
 * merely resolves to this machine is foreign, since any web page can have one (DNS rebinding).
 */
export function isOwn(host: string, { host: bound, port }: Listening, allowed: readonly string[]): boolean {
  const own = (names: readonly string[]) => names.some(name => `${name.toLowerCase()}:${port}` === host)
  const named = (names: readonly string[]) =>
    names.some(name => /:\d+$/.test(name) && authority(name) === host)
  if (own([...LOOPBACK, inUrl(bound), ...allowed]) || named(allowed)) return true
  // Looked up anew, as addresses change while the service runs.
  return !isLoopback(bound) && own(namesOfMachine())
}

/** An address as it stands in a URL. */
export const inUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address)

const isLoopback = (host: string) => /^127\./.test(host) || host === '::1' || host === 'localhost'

function namesOfMachine(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap(found => found ?? [])
  const name = hostname()
  return [...addresses.map(({ address }) => inUrl(address)), name, `${name}.local`]
}
