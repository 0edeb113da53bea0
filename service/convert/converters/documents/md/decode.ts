import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'

/**
 * The text of a file in UTF-8, UTF-16 or, if it is neither, Windows-1252, which includes Latin-1. Line ends become `\n`.
 * @throws JobFailure corrupt_input if it is not text
 */
export function decodeText(bytes: Uint8Array): string {
  const text = decode(bytes).replace(/^\uFEFF/, '')
  // Files of other formats are full of zeros and control characters; text may contain a few by accident.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is counted
  const controls = text.slice(0, 65_536).match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/g)?.length ?? 0
  if (controls > 16 && controls > Math.min(text.length, 65_536) / 100) {
    throw new JobFailure('jobs.corrupt_input', message('markdown.not_text'))
  }
  return text.replace(/\r\n?/g, '\n')
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const wide = wideEncoding(bytes)
  if (wide) return new TextDecoder(wide).decode(bytes)
  const lenient = new TextDecoder('utf-8').decode(bytes)
  const broken = lenient.match(/\uFFFD/g)?.length ?? 0
  if (broken === 0) return lenient
  // A file with a few damaged letters among many valid ones still counts as UTF-8.
  const sound = lenient.match(/[\u0080-\uFFFC]/g)?.length ?? 0
  return broken * 10 < sound ? lenient : new TextDecoder('windows-1252').decode(bytes)
}

/** Detects UTF-16 without a byte order mark: mostly Latin letters leave every other byte zero. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const head = bytes.subarray(0, 4096)
  const zeros = [0, 0]
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2]!++
  const most = head.length / 2
  if (most > 1 && zeros[1]! > most * 0.7 && zeros[0]! < most * 0.05) return 'utf-16le'
  if (most > 1 && zeros[0]! > most * 0.7 && zeros[1]! < most * 0.05) return 'utf-16be'
  return undefined
}
