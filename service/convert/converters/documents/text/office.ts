/** Converts text to OpenDocument and RTF, by way of Word. */
import type { Output, Task } from '../../../catalogue/task.ts'
import type { EncodingOption } from '../options.ts'
import { convert as pageToWord } from './page.ts'
import { convert as textToWord } from './work.ts'

/** @throws JobFailure corrupt_input, too_large, and those of LibreOffice */
export async function convert(task: Task<EncodingOption>): Promise<Output[]> {
  const toWord = task.source === 'html' ? pageToWord : textToWord
  const [{ path = '' } = {}] = await toWord({ ...task, target: 'docx' })
  const { officeFile } = await import('../office/file.ts')
  const word = { ...task, source: 'docx', input: { ...task.input, path }, options: {} }
  const saved = await officeFile(word, task.target)
  return [{ path: saved.path }]
}
