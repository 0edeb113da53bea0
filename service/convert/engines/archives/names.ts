/** Decodes names whose encoding the archive does not declare. */
import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { detectAll } from 'jschardet'
import { type Message, message } from '../../../shared/messages/message.ts'
import { type EncodingLabel, type NameEncoding, nameEncodings } from '../../../shared/names/encodings.ts'

export interface Decoder {
  /** Display name of the encoding. */
  encoding: string
  /** Whether the encoding was neither declared nor named, nor follows from the bytes. */
  isGuess: boolean
  decode(bytes: Uint8Array): string
}

/** What is known about an archive besides its names. */
export interface Origin {
  from: 'pcs' | 'unix'
  /** The encoding that the user has named. */
  encoding?: EncodingLabel | 'auto' | undefined
  /** The language of this machine, whose own encodings are the likeliest. */
  locale?: string
}

/** How much likelier the encodings of this machine's language are than others. */
const OWN = 8
/** How much the detector's confidences, which lie close together, count against how common an encoding is. */
const SHARPNESS = 8
/** The detector reads this many bytes. */
const SAMPLE_BYTES = 16_384
/** The detector misses Japanese names in kana alone, whose bytes vary too little for it. */
const KANA_CONFIDENCE = 0.5

const utf8: Decoder = {
  encoding: 'UTF-8',
  isGuess: false,
  decode: bytes => Buffer.from(bytes).toString(),
}

const decodeAs = (label: EncodingLabel, bytes: Uint8Array) => iconv.decode(Buffer.from(bytes), label)

/** Decodes single names that are valid UTF-8 as such, and the others in the encoding that was guessed. */
const guessed = (label: EncodingLabel): Decoder => ({
  encoding: nameEncodings[label].name,
  isGuess: true,
  decode: bytes => (isUtf8(bytes) ? utf8.decode(bytes) : decodeAs(label, bytes)),
})

/** Decodes all names in the encoding that the user named. */
const named = (label: EncodingLabel): Decoder => ({
  encoding: nameEncodings[label].name,
  isGuess: false,
  decode: bytes => decodeAs(label, bytes),
})

/** The detector's names of encodings. */
const detected: Record<string, EncodingLabel> = {
  cp932: 'cp932',
  'euc-jp': 'eucjp',
  gb18030: 'gb18030',
  big5: 'big5hkscs',
  cp949: 'cp949',
  ibm866: 'cp866',
  ibm855: 'cp855',
  'koi8-r': 'koi8r',
  'koi8-u': 'koi8u',
  'iso-8859-2': 'iso88592',
  macroman: 'macroman',
  maclatin2: 'maccenteuro',
  maccyrillic: 'maccyrillic',
  macgreek: 'macgreek',
}

/** The names by which the detector is asked for encodings, where iconv calls them otherwise. */
const asked: Partial<Record<EncodingLabel, string>> = {
  eucjp: 'euc-jis-2004',
  iso88592: 'iso-8859-2',
  koi8r: 'koi8-r',
  koi8u: 'koi8-u',
  macroman: 'mac-roman',
  maccenteuro: 'mac-latin2',
  maccyrillic: 'mac-cyrillic',
  macgreek: 'mac-greek',
}

const labels = Object.keys(nameEncodings) as EncodingLabel[]
const detectEncodings = labels.map(label => asked[label] ?? label.replace(/^windows/, 'windows-'))

const labelOf = (name: string): EncodingLabel => {
  const lower = name.toLowerCase()
  return detected[lower] ?? (lower.replace('windows-', 'windows') as EncodingLabel)
}

/**
 * How to decode an archive's names without a declared encoding: in the one that the user named, as UTF-8 if all are valid,
 * otherwise in the encoding that suits all of them together best.
 */
export function decoderFor(
  names: Iterable<Uint8Array>,
  { from, encoding: wanted = 'auto', locale = systemLocale() }: Origin,
): Decoder {
  if (wanted !== 'auto') return named(wanted)
  const foreign: Uint8Array[] = []
  let bytes = 0
  for (const name of names) {
    if (isUtf8(name)) continue
    foreign.push(name, Buffer.from('\n'))
    bytes += name.length + 1
    if (bytes > SAMPLE_BYTES) break
  }
  if (foreign.length === 0) return utf8
  const sample = Buffer.concat(foreign)
  const language = locale.split(/[-_.]/)[0]!.toLowerCase()
  const scores = new Map<EncodingLabel, number>()
  for (const { encoding, confidence } of detectAll(sample, { detectEncodings, minimumThreshold: 0 })) {
    if (encoding) scores.set(labelOf(encoding), confidence)
  }
  for (const label of ['cp932', 'eucjp'] as const) {
    if (isKana(decodeAs(label, sample))) scores.set(label, Math.max(scores.get(label) ?? 0, KANA_CONFIDENCE))
  }
  let best: EncodingLabel = from === 'pcs' ? 'cp437' : 'windows1252'
  let most = 0
  for (const label of labels) {
    const { locales, [from]: weight }: NameEncoding = nameEncodings[label]
    const isOwn = locales.split(' ').includes(language)
    const points = (scores.get(label) ?? 0) ** SHARPNESS * weight * (isOwn ? OWN : 1)
    if (points > most && !isMixed(decodeAs(label, sample))) [best, most] = [label, points]
  }
  return guessed(best)
}

/** Warns that the encoding of names was guessed. */
export const namesWarning = ({ encoding }: Decoder): Message => message('archive.names_decoded', { encoding })

const systemLocale = () => new Intl.DateTimeFormat().resolvedOptions().locale

/** Whether a decoded text is Japanese, with at least a quarter of its letters in kana, and nothing that other texts look like. */
function isKana(text: string): boolean {
  if (/[\ufffd\uff61-\uff9f\ue000-\uf8ff]/u.test(text)) return false
  const kana = text.match(/[\u3041-\u30ff]/gu)?.length ?? 0
  return 4 * kana >= text.match(/[^\0-\x7f]/gu)!.length
}

const LATIN = '[A-Za-zÀ-ɏ]'
const OTHER =
  '[\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Thai}\u2500-\u25ff]'
const MIXED = new RegExp(`${LATIN}${OTHER}|${OTHER}${LATIN}|(?<=\\p{Ll})(?![A-Z])\\p{Lu}(?=\\p{Ll})`, 'gu')

/** Whether letters of two scripts stand side by side in many places, or capitals between small letters, as in no word. */
const isMixed = (text: string) => 4 * (text.match(MIXED)?.length ?? 0) > text.match(/[^\0-\x7f]/gu)!.length
