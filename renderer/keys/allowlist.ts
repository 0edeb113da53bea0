/** IP addresses and CIDR ranges as typed by a person. The service checks them again. */

const octet = '(25[0-5]|2[0-4]\\d|1?\\d?\\d)'
const v4 = new RegExp(`^${octet}(\\.${octet}){3}$`)

function isV6(text: string): boolean {
  if (!/^[0-9a-f:.]+$/i.test(text) || !text.includes(':')) return false
  try {
    return new URL(`http://[${text}]/`).hostname.startsWith('[')
  } catch {
    return false
  }
}

export function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  if (rest.length > 0) return false
  const longest = v4.test(address) ? 32 : isV6(address) ? 128 : null
  if (longest === null) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest)
}

/** The entries of a text, one per line or separated by commas, and the first invalid one. */
export function parseAllowlist(text: string): { entries: string[]; wrong: string | null } {
  const entries = text.split(/[\s,;]+/).filter(Boolean)
  return { entries, wrong: entries.find(entry => !isAddressOrRange(entry)) ?? null }
}
