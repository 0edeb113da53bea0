import type { DocumentOptions } from './document.ts'
import type { Transcript } from './transcript.ts'

type Writer = (transcript: Transcript, options: DocumentOptions) => string | Uint8Array | Promise<Uint8Array>

interface Row {
  /** The option that asks for it beside another target, and what that is called. */
  include: string
  title: string
  load(): Promise<Writer>
}

/** The formats of transcripts, by the target keys of the converters: a new one is a row and the file that writes it. */
// biome-ignore format: a table
export const transcriptFormats = {
  srt: { include: 'includeSrt', title: 'Also write subtitles (SRT)', load: async () => (await import('./subtitles.ts')).writeSrt },
  vtt: { include: 'includeVtt', title: 'Also write subtitles for the web (VTT)', load: async () => (await import('./subtitles.ts')).writeVtt },
  txt: { include: 'includeTxt', title: 'Also write plain text', load: async () => (await import('./text.ts')).writeText },
  markdown: { include: 'includeMarkdown', title: 'Also write Markdown', load: async () => (await import('./text.ts')).writeMarkdown },
  word: { include: 'includeDocx', title: 'Also write a Word document', load: async () => (await import('./word.ts')).writeWord },
  pdf: { include: 'includePdf', title: 'Also write a PDF', load: async () => (await import('./pdf.ts')).writePdf },
  epub: { include: 'includeEpub', title: 'Also write an EPUB book', load: async () => (await import('./epub.ts')).writeEpub },
} as const satisfies Record<string, Row>

export type TranscriptFormat = keyof typeof transcriptFormats

export const isTranscriptFormat = (target: string): target is TranscriptFormat =>
  Object.hasOwn(transcriptFormats, target)
