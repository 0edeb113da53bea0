import type { DocumentOptions } from './document.ts'
import { type TranscriptFormat, transcriptFormats } from './formats.ts'
import { type Transcript, tidy } from './transcript.ts'

export { isTranscriptFormat, type TranscriptFormat } from './formats.ts'
export type { Segment, Transcript } from './transcript.ts'

/**
 * Writes a transcript. One without speech says so; the output is never empty.
 * @returns the file's content, text as UTF-8
 */
export async function writeTranscript(
  format: TranscriptFormat,
  transcript: Transcript,
  { title, date = new Date() }: Pick<DocumentOptions, 'title'> & Partial<DocumentOptions>,
): Promise<Uint8Array> {
  const write = await transcriptFormats[format].load()
  const content = await write(tidy(transcript), { title, date })
  return typeof content === 'string' ? new TextEncoder().encode(content) : content
}
