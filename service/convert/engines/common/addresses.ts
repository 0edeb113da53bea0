/** Addresses in documents: characters encoded with per cent signs (RFC 3986), and files within the address (RFC 2397). */

/** A text whose encoded characters are decoded; a `%` that does not encode anything is kept. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replace(/(?:%[\da-f]{2})+/gi, run => {
      try {
        return decodeURIComponent(run)
      } catch {
        return run
      }
    })
  }
}

export interface DataFile {
  /** In lower case; empty if the address does not say it. */
  mediaType: string
  bytes: Buffer
}

/** The file in a `data:` address; undefined for another address. */
export function readDataAddress(address: string): DataFile | undefined {
  const [, type = '', parameters = '', data] = /^\s*data:([^;,]*)([^,]*),(.*)$/is.exec(address) ?? []
  if (data === undefined) return undefined
  const coding = /;\s*base64\b/i.test(parameters) ? 'base64' : 'utf8'
  return { mediaType: type.trim().toLowerCase(), bytes: Buffer.from(decodePercent(data), coding) }
}

/** A `data:` address with a file. */
export const dataAddress = (mediaType: string, bytes: Uint8Array): string =>
  `data:${mediaType};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`
