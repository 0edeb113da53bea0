import { hostname, networkInterfaces } from 'node:os'

/** The address the service listens on. */
export interface Listening {
  host: string
  port: number
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/** Port of addresses that name none; see RFC 9110, section 4.2.1. */
export const DEFAULT_PORT = 80

/** Normalises a Host header, or the part of an Origin after its scheme: lower case and always with a port. */
export const authority = (text: string): string =>
  /:\d+$/.test(text) ? text.toLowerCase() : `${text.toLowerCase()}:${DEFAULT_PORT}`

/**
 * Whether an authority names this service: always for loopback; for every address and name of this machine when the
 * service listens on the network; and for the names the owner allows, with the service's own port where they specify
 * none. A name that merely resolves to this machine is foreign, since any web page can have one (DNS rebinding).
 */
export function isOwn(host: string, { host: bound, port }: Listening, allowed: readonly string[]): boolean {
  const own = (names: readonly string[]) => names.some(name => `${name.toLowerCase()}:${port}` === host)
  const named = (names: readonly string[]) =>
    names.some(name => /:\d+$/.test(name) && authority(name) === host)
  if (own([...LOOPBACK, inUrl(bound), ...allowed]) || named(allowed)) return true
  // Looked up each time, since addresses change while the service runs.
  return !isLoopback(bound) && own(namesOfMachine())
}

/** An address as written in a URL. */
export const inUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address)

const isLoopback = (host: string) => /^127\./.test(host) || host === '::1' || host === 'localhost'

function namesOfMachine(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap(found => found ?? [])
  const name = hostname()
  return [...addresses.map(({ address }) => inUrl(address)), name, `${name}.local`]
}
