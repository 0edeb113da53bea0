import type { Output, Task } from '../../../catalogue/task.ts'
import { gainMapIn } from '../../../engines/pictures/heif/gain-map.ts'
import { decodeHeif } from '../../../engines/pictures/heif/index.ts'
import { release } from '../../../engines/pictures/pixels.ts'
import type { ImageOptions } from '../options.ts'
import { convertAvif } from '../raster/avif.ts'
import { DAMAGED } from '../write/damage.ts'
import { hasEdits } from '../write/edits.ts'
import { imageSettings } from '../write/settings.ts'
import { encodeImage } from '../write/still.ts'

export async function convert(task: Task<ImageOptions>): Promise<Output[]> {
  if (task.options.motion === 'film') return (await import('../motion-photo/work.ts')).convert(task)
  const { path } = task.input
  const settings = imageSettings(task)
  const picture = await decodeHeif(path, {
    onDamage: () => task.warn(DAMAGED),
    repeatsChroma: task.target === 'jpg' && !settings.resize && !hasEdits(settings),
  })
  if (!picture) return convertAvif(task)
  task.progress(0.5)
  const outputs = await encodeImage(task, { ...picture, ...(await gainMapIn(path)) }, settings)
  release(picture)
  return outputs
}
