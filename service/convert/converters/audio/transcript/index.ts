import { writers } from '../../../engines/documents/index.ts'
import { type DocumentOptions, documentOf, wordsOf } from './document.ts'
import { type TranscriptFormat, transcriptFormats } from './formats.ts'
import { writeJson } from './json.ts'
import { type Transcript, tidy } from './transcript.ts'

export { isTranscriptFormat, type TranscriptFormat } from './formats.ts'
export type { Transcript, TranscriptSegment } from './transcript.ts'

/**
 * Writes a transcript. One without speech says so; the output is never empty.
 * @returns the file's content, text as UTF-8
 */
export async function writeTranscript(
  format: TranscriptFormat,
  given: Transcript,
  { title, date = new Date() }: Pick<DocumentOptions, 'title'> & Partial<DocumentOptions>,
): Promise<Uint8Array> {
  const content = await written(format, tidy(given), { title, date })
  return typeof content === 'string' ? new TextEncoder().encode(content) : content
}

async function written(format: TranscriptFormat, transcript: Transcript, options: DocumentOptions) {
  const row = transcriptFormats[format]
  if ('writer' in row) {
    const write = await writers[row.writer].load()
    const document = format === 'txt' ? wordsOf(transcript) : documentOf(transcript, options)
    const none = () => undefined
    return write(document, { fileName: options.title, date: options.date, address: none, file: none })
  }
  if (format === 'pdf') return (await import('./pdf.ts')).writePdf(transcript, options)
  if (format === 'json') return writeJson(transcript)
  const { writeSrt, writeVtt } = await import('./subtitles.ts')
  return format === 'srt' ? writeSrt(transcript) : writeVtt(transcript)
}
