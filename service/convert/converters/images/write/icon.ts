import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Output, Task } from '../../../catalogue/task.ts'
import { text, u32 } from '../../../engines/common/iso-boxes.ts'
import { type Size, scaledSize } from '../../../engines/common/rectangle.ts'
import { buildIcon, type IconImage, iconBitmap } from '../../../engines/pictures/ico/write.ts'
import { renderPicture } from '../../../engines/pictures/sharp/encode.ts'
import { sharp } from '../../../engines/pictures/sharp/load.ts'
import type { Picture } from '../../../engines/pictures/sharp/picture.ts'

/** Pictures of this size and larger are stored as PNG, as in Windows. */
const PNG_FROM_PIXELS = 256

/** Edges of the entries of an icon for macOS; screens with twice as many pixels have entries of their own. */
const ICNS = {
  icp4: 16,
  icp5: 32,
  ic11: 32,
  ic12: 64,
  ic07: 128,
  ic13: 256,
  ic08: 256,
  ic14: 512,
  ic09: 512,
  ic10: 1024,
}

/** What browsers and home screens ask a website for, in pixels. */
const WEBSITE = { 'apple-touch-icon.png': 180, 'icon-192.png': 192, 'icon-512.png': 512 }
const FAVICON = [16, 32, 48]

type Source = Picture & { size: Size; onDamage: () => void }

/** The picture in a square of this edge with clear margins; it is enlarged only on request. */
async function squareOf({ size: whole, onDamage, ...picture }: Source, edge: number, isEnlarged = false) {
  const scale = edge / Math.max(whole.width, whole.height)
  const { width, height } = scaledSize(whole, isEnlarged ? scale : Math.min(1, scale))
  const { data, channels } = await renderPicture(picture, { width, height }, onDamage)
  const left = Math.floor((edge - width) / 2)
  const top = Math.floor((edge - height) / 2)
  const margins = { left, top, right: edge - width - left, bottom: edge - height - top }
  return sharp(data, { raw: { width, height, channels } })
    .ensureAlpha()
    .extend({ ...margins, background: '#00000000' })
}

const pngOf = async (...square: Parameters<typeof squareOf>) =>
  (await squareOf(...square)).png({ compressionLevel: 9 }).toBuffer()

/** The sizes that are no larger than the picture, or the smallest one. */
function fitting<T>(sizes: readonly T[], edgeOf: (size: T) => number, { size }: Source): readonly T[] {
  const edge = Math.max(size.width, size.height)
  const found = sizes.filter(each => edgeOf(each) <= edge)
  return found.length > 0 ? found : sizes.slice(0, 1)
}

/** Writes an icon for Windows with the picture in several sizes; those larger than the picture are left out. */
export async function writeIcon(source: Source, sizes: readonly number[], path: string): Promise<void> {
  const images: IconImage[] = []
  for (const size of fitting(sizes, size => size, source)) {
    const isPng = size >= PNG_FROM_PIXELS
    const data = isPng ? await pngOf(source, size) : await (await squareOf(source, size)).raw().toBuffer()
    images.push({ size, data: isPng ? data : iconBitmap(size, data) })
  }
  await writeFile(path, buildIcon(images))
}

/** Writes an icon for macOS (ICNS, PNG entries) in the same way. */
export async function writeIcns(source: Source, path: string): Promise<void> {
  const parts: Buffer[] = []
  for (const [type, edge] of fitting(Object.entries(ICNS), ([, edge]) => edge, source)) {
    const png = await pngOf(source, edge)
    parts.push(text(type), u32(png.length + 8), png)
  }
  const length = parts.reduce((sum, part) => sum + part.length, 8)
  await writeFile(path, Buffer.concat([text('icns'), u32(length), ...parts]))
}

/** Writes all icons of a website, and the manifest that names them. */
export async function writeWebsite(
  source: Source,
  { folder, input, source: format }: Pick<Task, 'folder' | 'input' | 'source'>,
): Promise<Output[]> {
  const outputs = [...Object.keys(WEBSITE), 'favicon.ico', 'site.webmanifest'].map(name => ({
    name,
    path: join(folder, name),
  }))
  for (const [name, edge] of Object.entries(WEBSITE))
    await writeFile(join(folder, name), await pngOf(source, edge, true))
  await writeIcon(source, FAVICON, join(folder, 'favicon.ico'))
  const icons = Object.entries(WEBSITE)
    .filter(([name]) => name.startsWith('icon-'))
    .map(([name, edge]) => ({ src: `/${name}`, sizes: `${edge}x${edge}`, type: 'image/png' }))
  await writeFile(join(folder, 'site.webmanifest'), JSON.stringify({ name: input.stem, icons }, null, 2))
  if (format !== 'svg') return outputs
  const vectorGraphic = join(folder, 'icon.svg')
  await writeFile(vectorGraphic, await readFile(input.path))
  return [...outputs, { name: 'icon.svg', path: vectorGraphic }]
}
