import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Output, Task } from '../../../catalogue/task.ts'
import { writeKepub } from '../../../engines/books/kepub/kepub.ts'
import { warnOfLosses } from '../read.ts'

/**
 * Converts an EPUB for Kobo's readers.
 * @throws JobFailure corrupt_input, encrypted_input, too_large
 */
export async function convert({ input, folder, progress, warn }: Task): Promise<Output[]> {
  progress(0, 'preparing')
  const path = join(folder, 'book.kepub.epub')
  const { bytes, missing, damaged } = await writeKepub(input.path, share =>
    progress(share * 0.9, 'converting'),
  )
  warnOfLosses({ missing, damaged, isNarrated: false }, warn)
  await writeFile(path, bytes)
  return [{ path }]
}
