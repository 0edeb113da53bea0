/** Which addresses belong to the public internet. */
import ipaddr from 'ipaddr.js'

/** Global unicast addresses, the only part of IPv6 in use: https://www.iana.org/assignments/ipv6-address-space */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address belongs to the public internet: not to this machine, a private network, a link or carrier-grade
 * NAT, and not embedding an IPv4 address that is not public (mapped, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  try {
    const parsed = ipaddr.process(address)
    if (parsed.range() !== 'unicast') return false
    return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL)
  } catch {
    return false
  }
}

/** Whether a URL's host is an address rather than a name; `URL` has already normalised its spelling. */
export const isLiteralAddress = (hostname: string): boolean =>
  ipaddr.isValid(hostname.replace(/^\[|\]$/g, ''))

/** Names that never belong to the public internet: RFC 6761, 6762, 8375 and 9476, and ICANN's `.internal`. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa|alt)\.?$/i

/** Whether a host name can only mean this machine or its own network, whatever it resolves to. */
export const isLocalName = (hostname: string): boolean => LOCAL_NAME.test(hostname)
