/** Finds the encoding of text from before Unicode. */
import iconv from 'iconv-lite'
import { detectAll } from 'jschardet'
import { type EncodingLabel, nameEncodings } from '../../../shared/names/encodings.ts'

/** The detector reads this many bytes. */
export const SAMPLE_BYTES = 16_384
/** How much the detector's confidences, which lie close together, count against other reasons. */
const SHARPNESS = 8
/** The detector misses Japanese in kana alone, whose bytes vary too little for it. */
const KANA_CONFIDENCE = 0.5

/** The names by which the detector is asked for encodings and by which it answers, where iconv calls them otherwise. */
const detectorNames: Partial<Record<EncodingLabel, [asked: string, answered?: string]>> = {
  cp866: ['cp866', 'ibm866'],
  cp855: ['cp855', 'ibm855'],
  eucjp: ['euc-jis-2004', 'euc-jp'],
  big5hkscs: ['big5hkscs', 'big5'],
  windows1258: ['windows-1258', 'cp1258'],
  iso88592: ['iso-8859-2'],
  iso88595: ['iso-8859-5'],
  iso88597: ['iso-8859-7'],
  iso885913: ['iso-8859-13'],
  koi8r: ['koi8-r'],
  koi8u: ['koi8-u'],
  macroman: ['mac-roman', 'macroman'],
  maccenteuro: ['mac-latin2', 'maclatin2'],
  maccyrillic: ['mac-cyrillic', 'maccyrillic'],
  macgreek: ['mac-greek', 'macgreek'],
}

const labels = Object.keys(nameEncodings) as EncodingLabel[]
const names = labels.map(label => detectorNames[label] ?? [label.replace(/^windows/, 'windows-')])
const detectEncodings = names.map(([asked]) => asked)
const answers = new Map(names.map(([asked, answered = asked], at) => [answered, labels[at]!]))

/** Text in a known encoding; what two signs stand for in it becomes one letter. */
export const decodeAs = (label: EncodingLabel, bytes: Uint8Array): string => {
  const text = iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), label)
  return label === 'windows1258' ? text.normalize('NFC') : text
}

/**
 * The encoding in which letters stand as they do in words of some language.
 * @param sample of text with letters beyond ASCII, of no more than `SAMPLE_BYTES`
 * @param likelihood of an encoding compared with others, whatever the text
 */
export function likeliestEncoding(
  sample: Uint8Array,
  likelihood: (label: EncodingLabel) => number = () => 1,
): EncodingLabel | undefined {
  const scores = new Map<EncodingLabel, number>()
  for (const { encoding, confidence } of detectAll(sample, { detectEncodings, minimumThreshold: 0 })) {
    const label = answers.get(encoding?.toLowerCase() ?? '')
    if (label) scores.set(label, confidence)
  }
  for (const label of ['cp932', 'eucjp'] as const) {
    if (isKana(decodeAs(label, sample))) scores.set(label, Math.max(scores.get(label) ?? 0, KANA_CONFIDENCE))
  }
  let best: EncodingLabel | undefined
  let most = 0
  for (const [label, confidence] of scores) {
    const points = confidence ** SHARPNESS * likelihood(label)
    if (points > most && !isMixed(decodeAs(label, sample))) [best, most] = [label, points]
  }
  return best
}

/** Whether a decoded text is Japanese, with at least a quarter of its letters in kana, and nothing that other texts look like. */
function isKana(text: string): boolean {
  if (/[\ufffd\uff61-\uff9f\ue000-\uf8ff]/u.test(text)) return false
  const kana = text.match(/[\u3041-\u30ff]/gu)?.length ?? 0
  return kana > 0 && 4 * kana >= lettersBeyondAscii(text)
}

/** None where an encoding has nothing for the bytes of the sample. */
const lettersBeyondAscii = (text: string) => text.match(/[^\0-\x7f]/gu)?.length ?? 0

const LATIN = '[A-Za-zÀ-ɏ]'
const OTHER =
  '[\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Thai}\u207f\u2200-\u22ff\u2500-\u25ff]'
const MIXED = new RegExp(`${LATIN}${OTHER}|${OTHER}${LATIN}|(?<=\\p{Ll})(?![A-Z])\\p{Lu}(?=\\p{Ll})`, 'gu')

/** Whether letters of two scripts stand side by side in many places, or capitals between small letters, as in no word. */
const isMixed = (text: string) => 4 * (text.match(MIXED)?.length ?? 0) > lettersBeyondAscii(text)
