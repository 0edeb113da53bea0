/** Converts text to OpenDocument and RTF, by way of Word. */
import type { Output, Task } from '../../../catalogue/task.ts'
import type { EncodingOption } from '../options.ts'
import { convert as pageToWord } from './page.ts'
import { convert as textToWord } from './work.ts'

/** @throws JobFailure corrupt_input, too_large, and those of LibreOffice */
export async function convert(task: Task<EncodingOption>): Promise<Output[]> {
  const toWord = task.source === 'html' ? pageToWord : textToWord
  const [{ path = '' } = {}] = await toWord({ ...task, target: 'docx' })
  return savedBy(task, 'docx', path)
}

/** A document that LibreOffice saves in the format of the task's target. @throws JobFailure those of LibreOffice */
export async function savedBy(task: Task, source: string, path: string): Promise<Output[]> {
  const { officeFile } = await import('../office/file.ts')
  const own = { ...task, source, input: { ...task.input, path }, options: {} }
  return [{ path: (await officeFile(own, task.target)).path }]
}
