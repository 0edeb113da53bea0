import { BlockList, isIP } from 'node:net'

/** Whether a text is an IP address or a range of them in CIDR notation. */
export function isAddressOrRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
}

/** Whether an address is one of these, or in one of these ranges; what is no address is in none. */
export function isWithin(address: string, ranges: readonly string[]): boolean {
  const list = new BlockList()
  for (const entry of ranges) {
    const [base = '', prefix] = entry.split('/')
    const type = isIP(base) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(base, type)
    else list.addSubnet(base, Number(prefix), type)
  }
  // A dual-stack socket shows IPv4 callers as ::ffff:a.b.c.d.
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  const family = isIP(plain)
  return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4')
}
