import { readFile } from 'node:fs/promises'
import { present } from '../../../catalogue/options.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { scaledSize } from '../../../engines/common/rectangle.ts'
import { fontFiles, readVectorGraphic, renderVectorGraphic } from '../../../engines/pictures/svg/index.ts'
import { type ImageOptions, isIcon } from '../options.ts'
import { hasEdits } from '../write/edits.ts'
import { imageSettings, targetSize } from '../write/settings.ts'
import { encodeImage } from '../write/still.ts'

/** CSS pixels per inch, the unit of SVG. */
const CSS_DPI = 96

/** Edge of the largest picture in an icon, in pixels. */
const LARGEST_ICON = 1024

/** Converts SVG documents, at their own size on a screen unless the options specify another. */
export async function convert(task: Task<ImageOptions>): Promise<Output[]> {
  const vectorGraphic = await readVectorGraphic(await readFile(task.input.path))
  for (const warning of vectorGraphic.warnings) task.warn(warning)
  const settings = imageSettings(task)
  // An icon has the largest sizes, however small the document says it is.
  const scale = isIcon(task.target)
    ? LARGEST_ICON / Math.max(vectorGraphic.width, vectorGraphic.height)
    : present(settings.density) / CSS_DPI
  const own = { width: vectorGraphic.width * scale, height: vectorGraphic.height * scale }
  // What is cut off or written over comes first, and then the size.
  const isEdited = hasEdits(settings)
  const { width, height } =
    (isEdited ? undefined : targetSize(own, settings.resize, true)) ?? scaledSize(own, 1)
  const files = await fontFiles(vectorGraphic, task.folder)
  const data = renderVectorGraphic(vectorGraphic, width, height, files)
  return encodeImage(
    task,
    { data, width, height, channels: 4 },
    isEdited ? settings : { ...settings, resize: null },
  )
}
