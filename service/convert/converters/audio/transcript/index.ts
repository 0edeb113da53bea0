import type { DocumentOptions } from './document.ts'
import { writeEpub } from './epub.ts'
import { writePdf } from './pdf.ts'
import { writeSrt, writeVtt } from './subtitles.ts'
import { writeMarkdown, writeText } from './text.ts'
import { type Transcript, tidy } from './transcript.ts'
import { writeWord } from './word.ts'

export type { Segment, Transcript } from './transcript.ts'

/** Formats of transcripts, by the target keys of the converters. */
export type TranscriptFormat = 'epub' | 'markdown' | 'pdf' | 'srt' | 'txt' | 'vtt' | 'word'

export interface TranscriptOptions extends DocumentOptions {
  /** Date written into books and PDFs. */
  date: Date
}

type Writer = (
  transcript: Transcript,
  options: TranscriptOptions,
) => string | Uint8Array | Promise<Uint8Array>

const writers: Record<TranscriptFormat, Writer> = {
  epub: (transcript, options) => writeEpub(transcript, options, options.date),
  markdown: writeMarkdown,
  pdf: (transcript, options) => writePdf(transcript, options, options.date),
  srt: writeSrt,
  txt: writeText,
  vtt: writeVtt,
  word: writeWord,
}

export const isTranscriptFormat = (target: string): target is TranscriptFormat =>
  Object.hasOwn(writers, target)

/**
 * Writes a transcript. One without speech says so; the output is never empty.
 * @returns the file's content, text as UTF-8
 */
export async function writeTranscript(
  format: TranscriptFormat,
  transcript: Transcript,
  { title = 'Transcript', meeting = false, date = new Date() }: Partial<TranscriptOptions> = {},
): Promise<Uint8Array> {
  const content = await writers[format](tidy(transcript), { title, meeting, date })
  return typeof content === 'string' ? new TextEncoder().encode(content) : content
}
