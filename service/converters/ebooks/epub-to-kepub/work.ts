import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Output, Task } from '../../../catalogue/task.ts'
import { writeKepub } from '../../../engines/kepub/kepub.ts'

/**
 * An EPUB for Kobo's readers.
 * @throws JobFailure corrupt_input, encrypted_input, too_large
 */
export async function convert({ input, folder, progress }: Task): Promise<Output[]> {
  progress(0, 'preparing')
  const path = join(folder, 'book.kepub.epub')
  await writeFile(
    path,
    await writeKepub(input.path, new Date(), share => progress(share * 0.9, 'converting')),
  )
  return [{ path }]
}
