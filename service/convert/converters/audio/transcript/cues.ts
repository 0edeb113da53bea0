import { inRuns } from '../../../engines/common/runs.ts'
import { columns, type Token, tokensOf } from './tokens.ts'
import { NO_SPEECH, type Transcript } from './transcript.ts'

/** One subtitle. */
export interface Cue {
  /** Milliseconds from the beginning of the media file. */
  start: number
  end: number
  /** One or two lines. */
  lines: string[]
}

/** The usual limits of subtitles (as in the BBC's and Netflix's guides): readable lines that are shown long enough. */
export const rules = {
  columns: 42,
  lines: 2,
  /** Comfortable reading speed in characters per second. */
  speed: 20,
  /** Seconds. */
  shortest: 1,
  longest: 7,
  /** A pause of this many seconds always ends a subtitle. */
  pause: 1.5,
  /** Minimum time between the starts of two subtitles, for overlapping speech. */
  apart: 0.5,
} as const

/**
 * Splits a tidy transcript into subtitles: at most two lines of 42 columns, no longer than 7 seconds, broken at
 * sentences, clauses and pauses where possible and never leaving a lone word; none overlaps the next.
 */
export function cuesOf(transcript: Transcript): Cue[] {
  const { segments, language, durationSeconds } = transcript
  if (segments.length === 0) {
    const end = Math.min(5, durationSeconds > 0 ? durationSeconds : rules.shortest)
    return [{ start: 0, end: end * 1000, lines: wrap(NO_SPEECH.split(' ').map(spaced)) }]
  }
  const tokens = segments.flatMap(segment => tokensOf(segment, language, rules.columns))
  return timed(utterances(tokens).flatMap(divide), durationSeconds)
}

const spaced = (text: string) => ({ text, spaced: true })

/** Stretches of speech without a long pause. */
const utterances = (tokens: readonly Token[]): Token[][] =>
  inRuns(tokens, (group, token) => token.start - group.at(-1)!.end < rules.pause)

interface Piece {
  tokens: Token[]
  lines: string[]
}

/** Splits an utterance at the best combination of breaks: the shortest path over all possible breaks. */
function divide(tokens: Token[]): Piece[] {
  const widths = [0]
  for (const token of tokens) widths.push(widths.at(-1)! + columns(token.text) + (token.spaced ? 1 : 0))
  const width = (from: number, to: number) => widths[to]! - widths[from]! - (tokens[from]!.spaced ? 1 : 0)
  const fits = (from: number, to: number) => {
    if (width(from, to) <= rules.columns) return true
    for (let at = to - 1; at > from && width(at, to) <= rules.columns; at--) {
      if (width(from, at) <= rules.columns) return true
    }
    return false
  }
  const best: { cost: number; from: number }[] = [{ cost: 0, from: 0 }]
  for (let to = 1; to <= tokens.length; to++) {
    best[to] = { cost: Number.POSITIVE_INFINITY, from: to - 1 }
    for (let from = to - 1; from >= 0; from--) {
      const isLong = tokens[to - 1]!.end - tokens[from]!.start > rules.longest
      if (from < to - 1 && (isLong || !fits(from, to))) break
      const cost = best[from]!.cost + costOf(tokens, from, to, width(from, to))
      if (cost < best[to]!.cost) best[to] = { cost, from }
    }
  }
  const pieces: Piece[] = []
  for (let to = tokens.length; to > 0; to = best[to]!.from) {
    const piece = tokens.slice(best[to]!.from, to)
    pieces.push({ tokens: piece, lines: wrap(piece) })
  }
  return pieces.reverse()
}

const ENDS_SENTENCE = /[.!?…。！？]["'”’»)\]]*$/
const ENDS_CLAUSE = /[,;:–—，、；：]["'”’»)\]]*$/

/** Cost of a subtitle with the tokens before `to`: higher if it breaks inside a clause, is short, fast or has a gap. */
function costOf(tokens: Token[], from: number, to: number, width: number): number {
  const first = tokens[from]!
  const last = tokens[to - 1]!
  const next = tokens[to]
  const duration = last.end - first.start
  let cost = 1
  if (next) {
    if (ENDS_CLAUSE.test(last.text)) cost += 0.6
    else if (!ENDS_SENTENCE.test(last.text)) cost += 2
    cost -= Math.min(1, next.start - last.end)
  }
  cost += Math.max(0, rules.shortest - duration) * 2
  cost += Math.max(0, 14 - width) * 0.2
  cost += Math.min(2, Math.max(0, width / Math.max(duration, 0.1) - rules.speed) / 10)
  for (let nth = from; nth < to - 1; nth++) {
    cost += Math.max(0, tokens[nth + 1]!.start - tokens[nth]!.end - 0.4) * 3
    if (ENDS_SENTENCE.test(tokens[nth]!.text)) cost += 0.4
  }
  return cost
}

const joined = (tokens: { text: string; spaced: boolean }[]) =>
  tokens.map((token, nth) => (nth > 0 && token.spaced ? ' ' : '') + token.text).join('')

/** One line, or two of similar length, preferably broken after punctuation. */
function wrap(tokens: { text: string; spaced: boolean }[]): string[] {
  const whole = joined(tokens)
  if (columns(whole) <= rules.columns) return [whole]
  let best: { lines: string[]; cost: number } = { lines: [whole], cost: Number.POSITIVE_INFINITY }
  for (let at = 1; at < tokens.length; at++) {
    const lines = [joined(tokens.slice(0, at)), joined(tokens.slice(at))]
    const [above, below] = lines.map(columns) as [number, number]
    if (above > rules.columns || below > rules.columns) continue
    const punctuated = /[\p{P}]$/u.test(lines[0]!)
    const cost = Math.abs(above - below) - (punctuated ? 8 : 0) + (above > below ? 1 : 0)
    if (cost < best.cost) best = { lines, cost }
  }
  return best.lines
}

/** Shortest subtitle if the audio is too short for the text. */
const MIN_SECONDS = 0.01

/**
 * Shows subtitles long enough to be read if there is time before the next, keeps them apart, and ends them all with the
 * audio.
 */
function timed(pieces: Piece[], duration: number): Cue[] {
  const starts: number[] = []
  for (const { tokens } of pieces) {
    starts.push(Math.max(tokens[0]!.start, (starts.at(-1) ?? -rules.apart) + rules.apart))
  }
  // Those that would start too close to the end, or after it, start earlier.
  const last = Math.max(duration, pieces.length * MIN_SECONDS)
  const slot = Math.min(rules.apart, last / pieces.length)
  for (let nth = starts.length - 1; nth >= 0; nth--)
    starts[nth] = Math.min(starts[nth]!, last - (pieces.length - nth) * slot)
  return pieces.map(({ tokens, lines }, nth) => {
    const start = starts[nth]!
    const spoken = tokens.at(-1)!.end
    const readable = start + Math.max(rules.shortest, columns(lines.join(' ')) / rules.speed)
    const end = Math.min(Math.max(spoken, readable), start + rules.longest, starts[nth + 1] ?? last)
    return {
      start: Math.round(start * 1000),
      // Rounded down, so that the last one does not end after the audio.
      end: Math.floor(end * 1000),
      lines,
    }
  })
}
