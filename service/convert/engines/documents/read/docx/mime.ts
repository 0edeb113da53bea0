/** A web page in a single file (MHT), as Word embeds it in documents: RFC 2557, RFC 2045. */

export interface MimePart {
  type: string
  /** Addresses by which the page refers to it. */
  names: string[]
  bytes: Buffer
}

/** Limits for the number and nesting of the parts of a file. */
const PART_LIMIT = 500
const DEPTH_LIMIT = 4

/** The decoded parts of a message; empty if the file is not a message. */
export function mimeParts(file: Buffer, depth = 0): MimePart[] {
  const text = file.toString('latin1')
  const end = /\r?\n\r?\n/.exec(text)
  if (!end || depth > DEPTH_LIMIT) return []
  const head = text.slice(0, end.index).replace(/\r?\n[ \t]+/g, ' ')
  const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'im').exec(head)?.[1]?.trim() ?? ''
  const type = field('Content-Type')
  const body = text.slice(end.index + end[0].length)
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1]
  if (!boundary) {
    if (type === '') return []
    const names = [field('Content-Location'), `cid:${field('Content-ID').replace(/^<|>$/g, '')}`]
    return [{ type, names, bytes: decodedBody(body, field('Content-Transfer-Encoding')) }]
  }
  return body
    .split(`--${boundary}`)
    .slice(1, PART_LIMIT)
    .filter(part => !part.startsWith('--'))
    .flatMap(part => mimeParts(Buffer.from(part.replace(/^\r?\n/, ''), 'latin1'), depth + 1))
    .slice(0, PART_LIMIT)
}

/** The bytes of a part, by its `Content-Transfer-Encoding`. */
export function decodedBody(body: string, encoding: string): Buffer {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64')
  if (!/quoted-printable/i.test(encoding)) return Buffer.from(body, 'latin1')
  const text = body
    .replace(/=[ \t]*\r?\n/g, '')
    .replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(text, 'latin1')
}
