import { type Paragraph, paragraphsOf } from './paragraphs.ts'
import { clock, languageName, NO_SPEECH, type Transcript } from './transcript.ts'

/** Above the paragraphs. */
export const HEADING = 'Transcript'

/** A paragraph of a written transcript: who, when and what. */
export interface Line {
  /** `0:01:02`; undefined if the time is meaningless. */
  time?: string
  speaker?: string | undefined
  text: string
}

/** The structure that all written formats of a transcript share. */
export interface TranscriptDocument {
  title: string
  language: string
  /** Notices at the start, in small print. */
  notices: string[]
  facts: [label: string, value: string][]
  lines: Line[]
}

export interface DocumentOptions {
  title: string
  /** Date written into books and PDFs. */
  date: Date
}

/** Structures a tidy transcript for the document writers. */
export function documentOf(transcript: Transcript, { title }: DocumentOptions): TranscriptDocument {
  const { language, durationSeconds, engine, segments } = transcript
  const isSilent = segments.length === 0
  return {
    title: title.trim() || HEADING,
    language,
    facts: [
      ['Duration', clock(durationSeconds)],
      ...(language === 'und' ? [] : ([['Language', languageName(language)]] as [string, string][])),
      ['Recognised by', engine.name],
    ],
    notices: isSilent
      ? []
      : ['Written automatically from speech; names and numbers may be wrong.', engine.note ?? []].flat(),
    lines: isSilent ? [{ text: NO_SPEECH }] : paragraphsOf(transcript).map(lineOf),
  }
}

const lineOf = ({ start, speaker, text }: Paragraph): Line => ({ time: clock(start), speaker, text })

/** `[0:01:02] Anna:`, the part of a line before its text; may be empty. */
export const leadOf = ({ time, speaker }: Line): string =>
  [time && `[${time}]`, speaker && `${speaker}:`].filter(Boolean).join(' ')
