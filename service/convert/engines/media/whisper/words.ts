/** Combines the timed tokens of whisper.cpp into words, and words into utterances. */
import { UNSPACED } from '../../common/language/script.ts'
import type { SpokenWord, Utterance } from '../speech/speech.ts'

/** A token, or a whole segment if tokens have no times. */
export interface Piece {
  /** Including the space before it, if any. */
  text: string
  /** Milliseconds from the start of the audio. */
  t0: number
  t1: number
}

export interface Result {
  /** Text of all pieces together. */
  result: string
  segments: readonly Piece[]
}

interface Word extends SpokenWord {
  /** Whether a space precedes it. */
  spaced: boolean
}

/** How it writes sounds other than speech, such as `[Music]`, `(applause)` and `♪`. */
const NOISE = /^[\s♪.…-]*$|^\s*[[(][^\])]*[\])]\s*$/

const SENTENCE_END = /[.?!…。？！][\p{Pe}\p{Pf}"']*$/u

/** The pause between two utterances, the shortest utterance that ends with a sentence, and the maximum length. */
const PAUSE_SECONDS = 1
const SHORTEST_SECONDS = 3
const LONGEST_SECONDS = 30

/**
 * Utterances with the times of their words.
 * @param seconds length of the audio: in silence whisper.cpp may invent words after its end
 */
export function utterancesOf({ result, segments }: Result, seconds: number): Utterance[] {
  const heard = segments.filter(({ t0 }) => t0 / 1000 < seconds)
  const phrases = heard.some(({ text }) => /\S\s+\S/.test(text))
  const utterances = phrases ? heard.map(piece => [wordOf(piece)]) : grouped(wordsOf(mended(heard, result)))
  return utterances.flatMap(words => utteranceOf(words, seconds, phrases))
}

const wordOf = ({ text, t0, t1 }: Piece): Word => ({
  start: t0 / 1000,
  end: Math.max(t0, t1) / 1000,
  text: text.trim(),
  spaced: /^\s/.test(text),
})

/** Repairs tokens that contain only part of a letter's bytes and are not valid text, using the whole text. */
function mended(pieces: readonly Piece[], whole: string): Piece[] {
  const mended: Piece[] = []
  let at = 0
  let broken: Piece[] = []
  const mend = (until: number) => {
    const [first, last] = [broken[0], broken.at(-1)]
    if (first && last) mended.push({ text: whole.slice(at, until), t0: first.t0, t1: last.t1 })
    broken = []
  }
  for (const piece of pieces) {
    if (piece.text.includes('\ufffd')) {
      broken.push(piece)
      continue
    }
    // Broken tokens represent at least one letter.
    const found = whole.indexOf(piece.text, broken.length > 0 ? at + 1 : at)
    if (found >= 0) {
      mend(found)
      at = found + piece.text.length
    }
    mended.push(piece)
  }
  mend(whole.length)
  return mended
}

/** Words begin at a space; tokens without one belong to the previous word, such as its ending or a comma. */
function wordsOf(pieces: readonly Piece[]): Word[] {
  const words: Word[] = []
  for (const piece of pieces) {
    const next = wordOf(piece)
    const last = words.at(-1)
    // Without spaces between words, each token counts as one.
    const unspaced = UNSPACED.test(next.text[0] ?? '') || UNSPACED.test(last?.text.at(-1) ?? '')
    const begins = next.spaced || !last || (unspaced && !/^\p{P}/u.test(next.text))
    if (next.text === '') continue
    if (begins) words.push(next)
    else words.splice(-1, 1, { ...last, text: last.text + next.text, end: next.end })
  }
  return words
}

/** Words grouped to utterances. */
function grouped(words: readonly Word[]): Word[][] {
  const groups: Word[][] = []
  for (const word of words) {
    const group = groups.at(-1)
    const [first, last] = [group?.[0], group?.at(-1)]
    const ends =
      !group ||
      !first ||
      !last ||
      word.start - last.end >= PAUSE_SECONDS ||
      word.end - first.start >= LONGEST_SECONDS ||
      (SENTENCE_END.test(last.text) && last.end - first.start >= SHORTEST_SECONDS) ||
      /^[[(♪]/.test(word.text) ||
      (/^[[(♪]/.test(first.text) && /[\])♪]$/.test(last.text))
    if (ends) groups.push([word])
    else group.push(word)
  }
  return groups
}

function utteranceOf(words: readonly Word[], seconds: number, phrase: boolean): Utterance[] {
  const [first, last] = [words[0], words.at(-1)]
  const text = words
    .map(({ text, spaced }) => (spaced ? ` ${text}` : text))
    .join('')
    .trim()
  if (!first || !last || NOISE.test(text)) return []
  const timed = words.map(({ start, end, text }) => ({ start, end: Math.min(seconds, end), text }))
  const span = { start: first.start, end: Math.min(seconds, last.end) }
  return [{ ...span, text, ...(phrase ? {} : { words: timed }) }]
}
