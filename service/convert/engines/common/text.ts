import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { type Message, message } from '../../../shared/messages/message.ts'
import { type EncodingLabel, nameEncodings } from '../../../shared/names/encodings.ts'
import { decodeAs, likeliestEncoding, SAMPLE_BYTES } from './encoding.ts'

/** What the option `encoding` of text names. */
export type TextEncoding = 'auto' | 'utf8' | EncodingLabel

/** What a conversion of text knows and says. */
export interface TextTask {
  options: { encoding?: TextEncoding | undefined }
  warn(text: Message): void
}

/** The text of a file in the encoding that the user names, or as `decodeText` does, with a warning if that is a guess. */
export function textIn(bytes: Uint8Array, { options: { encoding = 'auto' }, warn }: TextTask): string {
  if (encoding === 'auto')
    return decodeText(bytes, name => warn(message('text.encoding', { encoding: name })))
  if (wideMark(bytes)) return decodeText(bytes)
  return encoding === 'utf8' ? decoded(bytes, 'utf-8') : decodeAs(encoding, bytes)
}

/**
 * The text of an XML, HTML, CSS, Markdown or plain file: in UTF-16 if it begins so, in UTF-8 if it is valid, whatever
 * it declares, otherwise in the encoding of its declaration or `meta`, or the likeliest one.
 * @param onGuess called with the name of an encoding that is only the likeliest
 */
export function decodeText(bytes: Uint8Array, onGuess?: (encoding: string) => void): string {
  const wide = wideEncoding(bytes)
  if (wide) return decoded(bytes, wide)
  const text = decoded(bytes, 'utf-8')
  if (isUtf8(bytes) || (bytes[0] === 0xef && bytes[1] === 0xbb)) return text
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  const [, named = ''] =
    /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/i.exec(head) ??
    /<meta[^>]*charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head) ??
    /^@charset "([\w.:-]+)"/.exec(head) ??
    []
  if (/^utf-?16/i.test(named)) return text
  // What is declared as UTF-8 and is not was saved by a program that did not look.
  if (named && !/^utf-?8/i.test(named) && iconv.encodingExists(named)) return decoded(bytes, named)
  // A file with a few damaged letters among many valid ones still counts as UTF-8.
  const broken = text.match(/\uFFFD/g)?.length ?? 0
  const sound = text.match(/[\u0080-\uFFFC]/g)?.length ?? 0
  if (broken * 10 < sound) return text
  const sample = foreignLines(bytes)
  const isWindows = hasTypedSigns(decodeAs('windows1252', sample))
  const label = likeliestEncoding(sample, each => (isWindows && !each.startsWith('windows') ? 0 : 1))
  const likeliest = isWindows === 'only' ? 'windows1252' : (label ?? 'windows1252')
  onGuess?.(nameEncodings[likeliest].name)
  return decodeAs(likeliest, bytes)
}

/** Signs as Windows has them, where people type them; in older encodings, the ellipsis and low quotes are letters that end or begin words. */
const TYPED =
  /(?<=[\p{L}\d])’|(?<![\p{L}\d])[‘“«](?=\S)|(?<=[\p{L}\d.,!?])[’”“»](?![\p{L}\d])|(?<![^\s])[–—•·](?=\s)|(?<=\d)–(?=\d)|[€£§](?= ?\d)|(?<=\d ?)[€£°²³½¼±×]|[½¼±×µ](?![\p{Lu}])(?<!\p{L}.)|(?<=\p{L})[™®²³](?!\p{L})|©(?=\s)/gu
const AMBIGUOUS = /[…„‚]/g

/** Whether most signs beyond ASCII are typed signs rather than letters, or all of them. */
function hasTypedSigns(text: string): 'only' | boolean {
  const foreign = text.replace(AMBIGUOUS, '').match(/[^\0-\x7f]/g)?.length ?? 0
  const typed = text.match(TYPED)?.length ?? 0
  return typed > 0 && typed === foreign ? 'only' : typed * 2 > foreign
}

/** Lines with letters beyond ASCII, without tags. */
function foreignLines(bytes: Uint8Array): Uint8Array {
  const lines: Uint8Array[] = []
  let size = 0
  for (let at = 0; at < bytes.length && size < SAMPLE_BYTES; at++) {
    if (bytes[at]! < 0x80) continue
    const start = Math.max(bytes.lastIndexOf(0x0a, at) + 1, at - LINE_BYTES)
    const end = bytes.indexOf(0x0a, at) + 1 || bytes.length
    lines.push(bytes.subarray(start, Math.min(end, at + SAMPLE_BYTES)))
    size += lines.at(-1)!.length
    at = end
  }
  const words = Buffer.concat(lines).toString('latin1', 0, SAMPLE_BYTES)
  return Buffer.from(words.replace(/<[^<>]*>/g, ' '), 'latin1')
}

/** How much of a line is read before its first letter beyond ASCII. */
const LINE_BYTES = 1000

function decoded(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    return iconv.decode(Buffer.from(bytes), encoding)
  }
}

const wideMark = ([first, second]: Uint8Array) =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : undefined

/** UTF-16 with a byte order mark, or without: a tag or mostly Latin letters leave every other byte zero. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes
  const marked = wideMark(bytes)
  if (marked) return marked
  const head = bytes.subarray(0, 4096)
  const zeros = [0, 0]
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2]!++
  const [even = 0, odd = 0] = zeros.map(count => count / (head.length / 2))
  if ((first === 0x3c && second === 0) || (odd > 0.7 && even < 0.05)) return 'utf-16le'
  if ((first === 0 && second === 0x3c) || (even > 0.7 && odd < 0.05)) return 'utf-16be'
  return undefined
}
