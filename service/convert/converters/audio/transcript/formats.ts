import type { writers } from '../../../engines/documents/index.ts'

interface Row {
  /** The option that asks for it beside another target, and what that is called. */
  include: string
  title: string
  /** What writes it, if it is a text document. */
  writer?: keyof typeof writers
}

/** The formats of transcripts. */
// biome-ignore format: a table
export const transcriptFormats = {
  srt: { include: 'includeSrt', title: 'Also write subtitles (SRT)' },
  vtt: { include: 'includeVtt', title: 'Also write subtitles for the web (VTT)' },
  txt: { include: 'includeTxt', title: 'Also write plain text', writer: 'txt' },
  md: { include: 'includeMarkdown', title: 'Also write Markdown', writer: 'md' },
  docx: { include: 'includeDocx', title: 'Also write a Word document', writer: 'docx' },
  pdf: { include: 'includePdf', title: 'Also write a PDF' },
  epub: { include: 'includeEpub', title: 'Also write an EPUB book', writer: 'epub' },
  json: { include: 'includeJson', title: 'Also write JSON with the times of all words' },
} as const satisfies Record<string, Row>

export type TranscriptFormat = keyof typeof transcriptFormats

export const isTranscriptFormat = (target: string): target is TranscriptFormat =>
  Object.hasOwn(transcriptFormats, target)
