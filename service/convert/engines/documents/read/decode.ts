import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { decodeText, type TextTask, textIn } from '../../common/text.ts'

/**
 * The text of a file. Line ends become `\n`.
 * @throws JobFailure corrupt_input if it is not text
 */
export function plainText(bytes: Uint8Array, task?: TextTask): string {
  const text = task ? textIn(bytes, task) : decodeText(bytes)
  // Files of other formats are full of zeros and control characters; text may contain a few by accident.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is counted
  const controls = text.slice(0, 65_536).match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/g)?.length ?? 0
  if (controls > 16 && controls > Math.min(text.length, 65_536) / 100) {
    throw new JobFailure('jobs.corrupt_input', message('markdown.not_text'))
  }
  return text.replace(/\r\n?/g, '\n')
}
