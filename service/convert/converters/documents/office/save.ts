/** Office files and OpenDocument in one another's formats, and as plain text. */
import { readFile, writeFile } from 'node:fs/promises'
import type { Output, Task } from '../../../catalogue/task.ts'
import { officeFile } from './file.ts'
import type { SaveOptions } from './options.ts'

export async function convert(task: Task<SaveOptions>): Promise<Output[]> {
  const { path } = await officeFile(task, task.target)
  // LibreOffice begins a text with a byte order mark, which most programs show or stumble over.
  if (task.target === 'txt') await writeFile(path, (await readFile(path, 'utf8')).replace(/^\uFEFF/, ''))
  return [{ path }]
}
