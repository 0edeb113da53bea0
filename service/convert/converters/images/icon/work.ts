import { readFile } from 'node:fs/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { readIcon } from '../../../engines/pictures/ico/read.ts'
import type { ImageOptions } from '../options.ts'
import { DAMAGED } from '../write/damage.ts'
import { imageSettings } from '../write/settings.ts'
import { encodeImage } from '../write/still.ts'

/** Converts ICO and CUR files: the largest picture, or all of them. */
export async function convert(task: Task<ImageOptions>): Promise<Output[]> {
  const { entries, complete } = readIcon(await readFile(task.input.path))
  if (!complete) task.warn(DAMAGED)
  const settings = imageSettings(task)
  const isAll = task.options.entries === 'all'
  const outputs: Output[] = []
  let failure: unknown
  for (const [index, entry] of entries.entries()) {
    task.progress(index / entries.length)
    const { width, height, bits } = entry
    const same = entries.filter(other => other.width === width && other.height === height)
    const depth = same.length > 1 ? `-${bits}bit` : ''
    const name = `${task.input.stem}-${width}x${height}${depth}.${task.target}`
    try {
      outputs.push(...(await encodeImage(task, entry.read(), settings, isAll ? { index, name } : {})))
      if (!isAll) break
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error
      failure ??= error
      if (isAll) task.warn(message('ico.picture_left_out', { width, height }))
    }
  }
  if (outputs.length === 0)
    throw isAll ? new JobFailure('jobs.corrupt_input', message('ico.no_icon')) : failure
  if (failure && !isAll) task.warn(DAMAGED)
  // A single picture is named after the file, as in every other conversion.
  return outputs.length === 1 ? outputs.map(({ path }) => ({ path })) : outputs
}
