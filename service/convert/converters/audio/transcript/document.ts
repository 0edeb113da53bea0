/** A transcript as a text document. */
import { languageName } from '../../../../shared/messages/language-name.ts'
import { isRightToLeftLanguage } from '../../../engines/common/language/tag.ts'
import {
  type Block,
  type Document,
  documentWith,
  type Inline,
  type Paragraph,
  paragraphOf,
  run,
} from '../../../engines/documents/model.ts'
import { paragraphsOf } from './paragraphs.ts'
import { clock, NO_SPEECH, type Transcript, transcriber } from './transcript.ts'

/** Above the paragraphs. */
const HEADING = 'Transcript'

/** Paragraphs below a heading, so that long media files have a table of contents. */
const CHAPTER = 40

export interface DocumentOptions {
  title: string
  /** Date written into books and PDFs. */
  date: Date
}

/** What stands above the words of a transcript. */
const frontOf = (transcript: Transcript, { title }: Pick<DocumentOptions, 'title'>) => ({
  title: title.trim() || HEADING,
  facts: [
    ['Duration', clock(transcript.durationSeconds)],
    ...(transcript.language === 'und' ? [] : [['Language', languageName(transcript.language)]]),
    ['Recognised by', transcript.engine.name],
  ] as [label: string, value: string][],
  disclaimers:
    transcript.segments.length === 0
      ? []
      : [
          'Written automatically from speech; names and numbers may be wrong.',
          transcript.engine.note ?? [],
        ].flat(),
})

/** The words of a tidy transcript, each paragraph with when it was said; `lead` may be empty. */
const linesOf = (transcript: Transcript): { time: string; lead: string; text: string }[] =>
  transcript.segments.length === 0
    ? [{ time: '', lead: '', text: NO_SPEECH }]
    : paragraphsOf(transcript).map(({ start, text }) => ({
        time: clock(start),
        lead: `[${clock(start)}]`,
        text,
      }))

/** A tidy transcript with its title, what is known of it, and the times of its words. */
export function documentOf(
  transcript: Transcript,
  options: DocumentOptions,
  remarks: readonly string[] = [],
): Document {
  const { title, facts, disclaimers } = frontOf(transcript, options)
  const lines = linesOf(transcript)
  const heading = (level: number, text: string): Block => ({ kind: 'heading', level, content: [run(text)] })
  const spoken = speechIn(transcript)
  const isLong = lines.length > CHAPTER
  return documentWith({
    title,
    language: transcript.language,
    rightToLeft: isRightToLeftLanguage(transcript.language),
    description: HEADING,
    blocks: [
      heading(1, title),
      ...facts.map(([label, value]) => paragraphOf([run(`${label}: `, { bold: true }), run(value)])),
      ...[...remarks, ...disclaimers].map(remark => paragraphOf([run(remark, { italic: true })])),
      ...lines.flatMap(({ time, lead, text }, index) => [
        ...(index % CHAPTER === 0 ? [heading(2, isLong ? `${HEADING} from ${time}` : HEADING)] : []),
        spoken(lead ? [run(lead, { bold: true }), run(` ${text}`)] : [run(text)]),
      ]),
    ],
  })
}

/** The words alone, and at the end the engine. */
export function wordsOf(transcript: Transcript): Document {
  const { segments } = transcript
  const spoken = speechIn(transcript)
  const words = paragraphsOf(transcript).map(({ text }) => spoken([run(text)]))
  const all = segments.length === 0 ? [paragraphOf([run(NO_SPEECH)])] : words
  return documentWith({ blocks: [...all, paragraphOf([run(`[${transcriber(transcript)}]`)])] })
}

const speechIn = ({ language }: Transcript) => {
  const rightToLeft = isRightToLeftLanguage(language)
  return (content: Inline[]): Paragraph => paragraphOf(content, { rightToLeft })
}
