import { type Minutes, minutes } from './minutes.ts'
import { type Paragraph, paragraphsOf } from './paragraphs.ts'
import { clock, languageName, NO_SPEECH, type Transcript } from './transcript.ts'

/** A line of a written transcript: who, when and what. */
export interface Line {
  /** `0:01:02`; null if the time is meaningless. */
  time: string | null
  speaker: string | null
  text: string
  /** A remark after the text, such as a due date. */
  remark: string | null
}

export interface Section {
  heading: string
  /** Lines are list items, or paragraphs. */
  kind: 'list' | 'paragraphs'
  lines: Line[]
}

/** The structure that all written formats of a transcript share. */
export interface TranscriptDocument {
  title: string
  language: string
  /** Notices at the start, in small print. */
  notices: string[]
  facts: [label: string, value: string][]
  sections: Section[]
}

export interface DocumentOptions {
  title: string
  /** Puts a summary, action items and speaking times before the transcript. */
  meeting: boolean
}

/** Structures a tidy transcript for the document writers. */
export function documentOf(transcript: Transcript, { title, meeting }: DocumentOptions): TranscriptDocument {
  const { language, durationSeconds, engine, segments } = transcript
  const facts: TranscriptDocument['facts'] = [
    ['Duration', clock(durationSeconds)],
    ...(language === 'und' ? [] : ([['Language', languageName(language)]] as [string, string][])),
    ['Recognised by', engine.name],
  ]
  const notices = [
    'Written automatically from speech; names and numbers may be wrong.',
    ...(engine.note ? [engine.note] : []),
  ]
  const base = { title: title.trim() || 'Transcript', language, facts }
  if (segments.length === 0) {
    return { ...base, notices: [], sections: [section('Transcript', 'paragraphs', [plain(NO_SPEECH)])] }
  }
  if (!meeting) {
    return {
      ...base,
      notices,
      sections: [section('Transcript', 'paragraphs', spoken(paragraphsOf(transcript)))],
    }
  }
  const taken = minutes(transcript)
  return { ...base, notices: [taken.notice, ...notices], sections: meetingSections(taken) }
}

function meetingSections({ speakers, summary, actions, turns }: Minutes): Section[] {
  const talk = speakers.map(({ name, seconds, share, turns }) =>
    plain(
      `${name}: ${clock(seconds)} (${Math.round(share * 100)} %), ${turns} ${turns === 1 ? 'turn' : 'turns'}`,
    ),
  )
  const none = (words: string) => [plain(words)]
  return [
    section(
      'Summary',
      'list',
      summary.length > 0 ? summary.map(quoted) : none('The recording is too short to be summarised.'),
    ),
    section(
      'Possible action items',
      'list',
      actions.length > 0
        ? actions.map(action => ({ ...quoted(action), remark: action.due ? `due: ${action.due}` : null }))
        : none('None were found.'),
    ),
    ...(talk.length > 0 ? [section('Speakers', 'list', talk)] : []),
    section('Transcript', 'paragraphs', spoken(turns)),
  ]
}

const section = (heading: string, kind: Section['kind'], lines: Line[]): Section => ({ heading, kind, lines })

const plain = (text: string): Line => ({ time: null, speaker: null, text, remark: null })

const quoted = ({
  start,
  speaker,
  text,
}: {
  start: number
  speaker: string | undefined
  text: string
}): Line => ({
  time: clock(start),
  speaker: speaker ?? null,
  text,
  remark: null,
})

const spoken = (paragraphs: Paragraph[]) => paragraphs.map(quoted)

/** `[0:01:02] Anna:`, the part of a line before its text; may be empty. */
export const leadOf = ({ time, speaker }: Line): string =>
  [time && `[${time}]`, speaker && `${speaker}:`].filter(Boolean).join(' ')
