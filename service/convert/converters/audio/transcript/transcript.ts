/** A transcript, as returned by speech engines. */
import { isUnspaced } from '../../../engines/common/language/script.ts'
import { canonicalLanguage } from '../../../engines/common/language/tag.ts'
import type { Utterance } from '../../../engines/media/speech/speech.ts'

export interface TranscriptSegment extends Utterance {
  /** 0 to 1. */
  confidence?: number
}

export interface Transcript {
  /** BCP 47 tag such as `en`; `und` if unknown. */
  language: string
  durationSeconds: number
  segments: TranscriptSegment[]
  engine: { name: string; note?: string }
}

/** Names the engine of a transcript, where there is no room for more. */
export const transcriber = ({ engine }: Pick<Transcript, 'engine'>): string =>
  `Transcribed automatically by ${engine.name}`

/** Written if a media file contains no speech, since an output is never empty. */
export const NO_SPEECH = 'No speech was recognised in this recording.'

/**
 * Normalises a transcript for the writers: segments sorted by time, without empty ones, times within the media file and
 * in order, single-line text without characters that XML and players refuse.
 */
export function tidy(transcript: Transcript): Transcript {
  const given = seconds(transcript.durationSeconds)
  // Engines recognise words in the silence that they append to the audio.
  const last = given > 0 ? given : Number.POSITIVE_INFINITY
  const segments = transcript.segments
    .map(segment => ({
      ...segment,
      ...span(segment, last),
      text: line(segment.text),
      words: segment.words
        ?.map(word => ({ ...word, ...span(word, last), text: line(word.text) }))
        .filter(hasText),
    }))
    .filter(hasText)
    .toSorted((a, b) => a.start - b.start)
  return {
    language: canonicalLanguage(transcript.language),
    durationSeconds: segments.reduce((latest, { end }) => Math.max(latest, end), given),
    segments: segments.map(({ words, ...segment }) => ({
      ...segment,
      ...(words?.length ? { words } : {}),
    })),
    engine: transcript.engine,
  }
}

const hasText = ({ text }: { text: string }) => text !== ''

const seconds = (value: number) => (Number.isFinite(value) ? Math.max(0, value) : 0)

function span({ start, end }: { start: number; end: number }, last: number) {
  const from = Math.min(last, seconds(start))
  return { start: from, end: Math.min(last, Math.max(from, seconds(end))) }
}

/** Control characters, lone surrogates and non-characters become spaces; runs of white space become one. */
const line = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\ufffd-\uffff]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** `1:02:03`, always with hours. */
export function clock(time: number): string {
  const whole = Math.floor(time)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
}

/** Joins two pieces of speech with a space, except between scripts that have none. */
export const join = (before: string, after: string): string =>
  before && after && !isUnspaced(before, after) ? `${before} ${after}` : before + after
