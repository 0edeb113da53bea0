/** Pages, Numbers and Keynote files, of which only the preview that Apple's programs put inside can be read. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { ZipArchive } from '../../../engines/archives/zip.ts'
import type { ImageOptions } from '../../images/options.ts'
import { imageSettings } from '../../images/write/settings.ts'
import { encodeImage } from '../../images/write/still.ts'

const PREVIEW_BYTES = 100_000_000
const DOCUMENT = 'QuickLook/Preview.pdf'
/** The first page, in the newer files and in those before 2013. */
const PICTURES = ['preview.jpg', 'QuickLook/Preview.jpg', 'QuickLook/Thumbnail.jpg']

/** @throws JobFailure corrupt_input, unsupported_input if there is no preview */
export async function convert(task: Task<ImageOptions>): Promise<Output[]> {
  task.progress(0, 'preparing')
  const { document, picture } = await previewsOf(task.input.path)
  if (task.target === 'pdf' && document) {
    task.warn(message('iwork.only_preview'))
    const path = join(task.folder, 'preview.pdf')
    await writeFile(path, document)
    return [{ path }]
  }
  if (!picture) throw new JobFailure('jobs.unsupported_input', message('iwork.no_preview'))
  task.warn(message('iwork.only_first_page'))
  return await encodeImage(task, { encoded: picture }, imageSettings(task))
}

async function previewsOf(path: string): Promise<{ document?: Buffer; picture?: Buffer }> {
  await using archive = await ZipArchive.open(path)
  const read = async (name: string) => {
    const entry = archive.find(name)
    return entry && (await archive.read(entry, PREVIEW_BYTES))
  }
  const document = await read(DOCUMENT)
  const name = PICTURES.find(each => archive.find(each))
  const picture = name && (await read(name))
  return { ...(document && { document }), ...(picture && { picture }) }
}
