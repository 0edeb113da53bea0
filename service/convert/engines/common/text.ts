import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { decoderFor } from '../archives/names.ts'

/**
 * The text of an XML, HTML, CSS, Markdown or plain file: in UTF-16 if it begins so, in UTF-8 if it is valid, whatever
 * it declares, otherwise in the encoding of its declaration or `meta`, or the likeliest one.
 */
export function decodeText(bytes: Uint8Array): string {
  const wide = wideEncoding(bytes)
  if (wide) return decoded(bytes, wide)
  const text = decoded(bytes, 'utf-8')
  if (isUtf8(bytes) || (bytes[0] === 0xef && bytes[1] === 0xbb)) return text
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  const [, named] =
    /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/i.exec(head) ??
    /<meta[^>]*charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head) ??
    /^@charset "([\w.:-]+)"/.exec(head) ??
    []
  if (named !== undefined) return /^utf-?(8|16)/i.test(named) ? text : decoded(bytes, named)
  // A file with a few damaged letters among many valid ones still counts as UTF-8.
  const broken = text.match(/\uFFFD/g)?.length ?? 0
  const sound = text.match(/[\u0080-\uFFFC]/g)?.length ?? 0
  return broken * 10 < sound ? text : guessed(bytes)
}

/** The likeliest encoding; text with more Latin letters than others is Western, since short texts give no better hint. */
function guessed(bytes: Uint8Array): string {
  const lines = Buffer.from(bytes)
    .toString('latin1')
    .split(/[\r\n]+/)
  const foreign = lines.filter(line => /[\x80-\xff]/.test(line))
  const words = foreign.join(' ').replace(/<[^>]*>/g, '')
  const others = words.match(/[\x80-\xff]/g)?.length ?? 0
  if (others < 10 || others <= (words.match(/[a-z]/gi)?.length ?? 0)) return decoded(bytes, 'windows-1252')
  return decoderFor(
    foreign.map(line => Buffer.from(line, 'latin1')),
    { from: 'unix' },
  ).decode(bytes)
}

function decoded(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    return iconv.encodingExists(encoding) ? iconv.decode(Buffer.from(bytes), encoding) : guessed(bytes)
  }
}

/** UTF-16 with a byte order mark, or without: a tag or mostly Latin letters leave every other byte zero. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const head = bytes.subarray(0, 4096)
  const zeros = [0, 0]
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2]!++
  const [even = 0, odd = 0] = zeros.map(count => count / (head.length / 2))
  if ((first === 0x3c && second === 0) || (odd > 0.7 && even < 0.05)) return 'utf-16le'
  if ((first === 0 && second === 0x3c) || (even > 0.7 && odd < 0.05)) return 'utf-16be'
  return undefined
}
