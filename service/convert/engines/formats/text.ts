/**
 * Decodes an XML, HTML or CSS file with the encoding given by its first bytes, its declaration or its `meta`.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second, third] = bytes
  if (first === 0xfe && second === 0xff) return decoded(bytes, 'utf-16be')
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0))
    return decoded(bytes, 'utf-16le')
  if (first === 0 && second === 0x3c) return decoded(bytes, 'utf-16be')
  const utf8 = () => decoded(bytes, 'utf-8')
  if (first === 0xef && second === 0xbb && third === 0xbf) return utf8()
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  const [, named] =
    /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/i.exec(head) ??
    /<meta[^>]*charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head) ??
    /^@charset "([\w.:-]+)"/.exec(head) ??
    []
  if (named === undefined || /^utf-?(8|16)/i.test(named)) return utf8()
  try {
    // Files with a wrong declaration are mostly UTF-8.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return decoded(bytes, named)
  }
}

function decoded(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
