import { writeFile } from 'node:fs/promises'
import { scaledSize } from '../../../engines/common/rectangle.ts'
import { buildIcon, type IconImage } from '../../../engines/pictures/ico/write.ts'
import { renderPicture } from '../../../engines/pictures/sharp/encode.ts'
import { sharp } from '../../../engines/pictures/sharp/load.ts'
import type { Picture } from '../../../engines/pictures/sharp/picture.ts'

/** Pictures of this size and larger are stored as PNG, as in Windows. */
const PNG_FROM_PIXELS = 256

/**
 * Writes an icon with the picture in several sizes, each square with transparent margins. Sizes larger than the picture
 * are left out; if all are larger, the smallest size is written without enlarging the picture.
 * @returns whether the picture is damaged, and only a part of it was written
 */
export async function writeIcon(
  picture: Picture,
  size: { width: number; height: number } | undefined,
  sizes: readonly number[],
  path: string,
): Promise<boolean> {
  const { width, height } = size ?? picture
  const edge = Math.max(width, height)
  const fitting = sizes.filter(candidate => candidate <= edge)
  const chosen = fitting.length > 0 ? fitting : sizes.slice(0, 1)
  let damaged = false
  const onDamage = () => {
    damaged = true
  }
  const images: IconImage[] = []
  for (const edgeLength of chosen) {
    images.push(await iconImage(picture, { width, height }, edgeLength, onDamage))
  }
  await writeFile(path, buildIcon(images))
  return damaged
}

async function iconImage(
  picture: Picture,
  whole: { width: number; height: number },
  size: number,
  onDamage: () => void,
): Promise<IconImage> {
  const scale = Math.min(1, size / Math.max(whole.width, whole.height))
  const { width, height } = scaledSize(whole, scale)
  const { data, channels } = await renderPicture(picture, { width, height }, onDamage)
  const left = Math.floor((size - width) / 2)
  const top = Math.floor((size - height) / 2)
  const square = sharp(data, { raw: { width, height, channels } })
    .ensureAlpha()
    .extend({
      left,
      top,
      right: size - width - left,
      bottom: size - height - top,
      background: '#00000000',
    })
  return size >= PNG_FROM_PIXELS
    ? { size, png: await square.png({ compressionLevel: 9 }).toBuffer() }
    : { size, rgba: await square.raw().toBuffer() }
}
