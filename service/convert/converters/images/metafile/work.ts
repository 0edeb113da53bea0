/** Windows metafiles (EMF, WMF and their compressed forms), which LibreOffice draws. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { drawnMetafile } from '../../../engines/documents/pictures/metafiles.ts'
import { readMetafile } from '../../../engines/pictures/formats/metafile.ts'
import type { ImageOptions } from '../options.ts'
import { imageSettings } from '../write/settings.ts'
import { encodeImage } from '../write/still.ts'

/** @throws JobFailure corrupt_input, engine_missing, too_large, engine_crashed */
export async function convert(task: Task<ImageOptions>): Promise<Output[]> {
  task.progress(0, 'preparing')
  const { input, folder } = task
  const metafile = readMetafile(await readFile(input.path))
  if (!metafile) throw new JobFailure('jobs.corrupt_input')
  const drawn = await drawnMetafile(metafile, metafile, folder)
  if (!drawn) throw new JobFailure('jobs.corrupt_input', message('picture.empty'))
  const encoded = join(folder, 'drawn.png')
  await writeFile(encoded, drawn)
  task.progress(0.5, 'converting')
  return encodeImage(task, { encoded }, imageSettings(task))
}
