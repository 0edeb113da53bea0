/** Decodes names whose encoding the archive does not declare. */
import { isUtf8 } from 'node:buffer'
import { isFrequent, type Language } from './frequent.ts'

/**
 * CP437, the code page of the first PCs, from 0x80 on; the default encoding of ZIP:
 * https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/PC/CP437.TXT
 */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

export interface Decoder {
  /** Display name of the encoding. */
  encoding: string
  decode(bytes: Uint8Array): string
}

const decoderOf = (encoding: string, label: string): Decoder => {
  const decoder = new TextDecoder(label)
  return { encoding, decode: bytes => decoder.decode(bytes) }
}

const utf8 = decoderOf('UTF-8', 'utf-8')

export const cp437: Decoder = {
  encoding: 'CP437',
  decode: bytes =>
    Array.from(bytes, byte => (byte < 128 ? String.fromCharCode(byte) : CP437[byte - 128])).join(''),
}

/** How plausible a text is in an encoding: points for what languages use, deductions for what none uses. */
type Score = (text: string) => number

/** Encodings of names, each with its plausibility function. */
const candidates: { decoder: Decoder; score: Score }[] = [
  { decoder: decoderOf('Shift-JIS', 'shift_jis'), score: words('japanese') },
  { decoder: decoderOf('EUC-JP', 'euc-jp'), score: words('japanese') },
  { decoder: decoderOf('GBK', 'gbk'), score: words('simplified') },
  { decoder: decoderOf('Big5', 'big5'), score: words('traditional') },
  { decoder: decoderOf('EUC-KR', 'euc-kr'), score: words('korean') },
  { decoder: decoderOf('CP866', 'ibm866'), score: text => cyrillic(text) },
  { decoder: decoderOf('Windows-1251', 'windows-1251'), score: text => cyrillic(text) - 0.1 },
  { decoder: decoderOf('KOI8-R', 'koi8-r'), score: text => cyrillic(text) - 0.1 },
  { decoder: decoderOf('Windows-1252', 'windows-1252'), score: text => latin(text) - 0.1 },
  { decoder: cp437, score: latin },
]

/** Multi-byte encodings, in which most byte sequences of other encodings are invalid. */
const labels: Record<string, string> = {
  'Shift-JIS': 'shift_jis',
  'EUC-JP': 'euc-jp',
  GBK: 'gbk',
  Big5: 'big5',
  'EUC-KR': 'euc-kr',
}

const EVERYWHERE = ['Shift-JIS', 'GBK', 'Big5', 'EUC-KR', 'CP866', 'KOI8-R', 'Windows-1251']
/** The usual encodings of each kind of archive, the fallback last. */
const FROM_PCS = [...EVERYWHERE, 'Windows-1252', 'CP437']
const FROM_UNIX = [...EVERYWHERE, 'EUC-JP', 'Windows-1252']

/**
 * How to decode an archive's names without a declared encoding: as UTF-8 if all are valid, otherwise in the most
 * plausible encoding.
 */
export function decoderFor(names: Iterable<Uint8Array>, from: 'pcs' | 'unix'): Decoder {
  const foreign: Uint8Array[] = []
  for (const name of names) if (name.some(byte => byte > 127)) foreign.push(name)
  if (foreign.every(isUtf8)) return utf8
  const sample = Buffer.concat(foreign.slice(0, 2000).flatMap(name => [name, Buffer.from('\n')]))
  const likely = from === 'pcs' ? FROM_PCS : FROM_UNIX
  const scored = candidates
    .filter(({ decoder }) => likely.includes(decoder.encoding))
    .map(({ decoder, score }) => ({ decoder, points: pointsOf(decoder, score, sample) }))
  const fallback = scored.find(({ decoder }) => decoder.encoding === likely.at(-1))!
  return scored.reduce((best, next) => (next.points > best.points ? next : best), fallback).decoder
}

function pointsOf(decoder: Decoder, score: Score, sample: Uint8Array): number {
  if (!fits(decoder, sample)) return Number.NEGATIVE_INFINITY
  const points = score(decoder.decode(sample))
  // Any two bytes are some character, so only plausible words count for these encodings.
  return points > 0 || !labels[decoder.encoding] ? points : Number.NEGATIVE_INFINITY
}

/** Decodes a name as UTF-8 if it is valid, otherwise with the decoder. */
export const decodeWith = (decoder: Decoder, name: Uint8Array): string =>
  isUtf8(name) ? utf8.decode(name) : decoder.decode(name)

/** Whether all bytes are valid in a multi-byte encoding. */
function fits({ encoding }: Decoder, bytes: Uint8Array): boolean {
  const label = labels[encoding]
  if (!label) return true
  try {
    new TextDecoder(label, { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0

const VOWEL = '[аеёиоуыэюя]'
const CONSONANT = '[бвгджзйклмнпрстфхцчшщ]'
const SYLLABLE = new RegExp(`${VOWEL}(?=${CONSONANT})|${CONSONANT}(?=${VOWEL})`, 'giu')
const WITHOUT_VOWEL = new RegExp(`(?<![а-яё])(?:(?!${VOWEL})[а-яё]){2,}(?![а-яё])`, 'giu')

/**
 * Cyrillic letters are adjacent, lower-case ones after upper-case ones, without Latin letters or lines between them. Vowels
 * and consonants alternate, which distinguishes encodings that only exchange letters.
 */
const cyrillic = (text: string) =>
  count(text, /[а-яёА-ЯЁ](?=[а-яё])/gu) +
  count(text, /[А-ЯЁ](?=[А-ЯЁ])/gu) +
  0.5 * count(text, SYLLABLE) +
  0.25 * count(text, /[оеаинтсрвлкмдпу](?=[а-яё])/giu) -
  3 * count(text, WITHOUT_VOWEL) -
  2 * count(text, /[а-яё](?=[А-ЯЁ])|[a-zA-Z](?=[а-яёА-ЯЁ])|[а-яёА-ЯЁ](?=[a-zA-Z])/gu) -
  count(text, /[\u2500-\u25ff\u0400\u0402-\u040f\u0452-\u04ff]/gu)

/** Accented letters are adjacent to plain ones, and seldom follow digits. */
function latin(text: string): number {
  return (
    count(text, /[A-Za-z][À-ÖØ-öø-ÿ]|[À-ÖØ-öø-ÿ](?=[A-Za-z])/gu) -
    count(text, /\d[À-ÖØ-öø-ÿ]/gu) -
    count(text, /[\x80-\x9f\u2500-\u25ff\u0370-\u03ff⌐¬⌠⌡∙√ⁿ■]/gu)
  )
}

/** Adjacent East Asian characters. */
const RUN = /[\p{Script=Han}\p{Script=Hangul}\u3041-\u30ff]+/gu
const LETTER = /[A-Za-z]/
const POINTS = { frequent: 1.9, kana: 1.6, seldom: 0.3, alone: 1.2, strange: -2 } as const

/**
 * East Asian texts: several such characters together, most of them frequent, each encoded in two bytes. A single one between
 * Latin letters is a letter or sign of another encoding; half-width katakana and private-use characters are how texts in other
 * encodings appear.
 */
function words(language: Language): Score {
  const script = language === 'korean' ? /\p{Script=Hangul}/u : /\p{Script=Han}/u
  const pointsFor = (character: string) => {
    if (isFrequent(language, character)) return POINTS.frequent
    if (script.test(character)) return POINTS.seldom
    return language === 'japanese' && KANA.test(character) ? POINTS.kana : POINTS.strange
  }
  return text => {
    let sum = POINTS.strange * count(text, STRANGE)
    for (const { 0: run, index } of text.matchAll(RUN)) {
      const characters = [...run]
      if (characters.length > 1) {
        for (const character of characters) sum += pointsFor(character)
        continue
      }
      const isInWord = LETTER.test(text[index - 1] ?? '') || LETTER.test(text[index + run.length] ?? '')
      if (isInWord) sum += POINTS.strange
      else if (pointsFor(run) > POINTS.seldom) sum += POINTS.alone
    }
    return sum
  }
}

const KANA = /[\u3041-\u30ff]/
const STRANGE = /[\uff61-\uff9f\ue000-\uf8ff]/gu
