import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { message } from '../../../../shared/messages/message.ts'
import { formats, isFormatKey } from '../../../catalogue/formats.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import type { Size } from '../../../engines/common/rectangle.ts'
import { writePdf } from '../../../engines/pdf/from-images/document.ts'
import { avifWithGainMap } from '../../../engines/pictures/avif/gain-map.ts'
import { writeBmp } from '../../../engines/pictures/bmp/write.ts'
import { writeExr } from '../../../engines/pictures/exr/write.ts'
import { parametersOf, withGainMap } from '../../../engines/pictures/formats/gain-map.ts'
import { writeHeic } from '../../../engines/pictures/heif/write.ts'
import { gainMapBox, withBoxes } from '../../../engines/pictures/jxl/container.ts'
import { isJxlWritten, writeJxl } from '../../../engines/pictures/jxl/write.ts'
import { isMagickTarget, writePicture } from '../../../engines/pictures/magick/write.ts'
import type { Pixels } from '../../../engines/pictures/pixels.ts'
import { encodePicture, GREY, renderPicture } from '../../../engines/pictures/sharp/encode.ts'
import { type EncodeSettings, isEncoder } from '../../../engines/pictures/sharp/encodings.ts'
import { type Encoded, openPicture, type Picture } from '../../../engines/pictures/sharp/picture.ts'
import { encodeToSize } from '../../../engines/pictures/sharp/within.ts'
import { isIcon } from '../options.ts'
import { DAMAGED } from './damage.ts'
import { afterEdits, edited } from './edits.ts'
import { gainMapOf } from './gain-map.ts'
import { withHdr } from './hdr.ts'
import { writeIcns, writeIcon, writeWebsite } from './icon.ts'
import { metadataOf, writeMetadata } from './metadata.ts'
import { pdfPage } from './pdf-page.ts'
import { type ImageSettings, targetSize } from './settings.ts'

/**
 * Draws a picture as shapes of one colour each.
 * @param size the size in pixels that the SVG document states
 * @throws JobFailure corrupt_input, unsupported_input
 */
async function writeTraced(
  task: Task,
  picture: Picture,
  { width, height }: Size,
  { detail = 'balanced', colours }: ImageSettings,
  path: string,
): Promise<void> {
  // The tracer is a library of 14 MB that nothing else needs.
  const { tracedSize, tracePicture } = await import('../../../engines/pictures/vectorizer/trace.ts')
  const pixels = await renderPicture(picture, tracedSize({ width, height }), () => task.warn(DAMAGED))
  const vectorized = await tracePicture(pixels, { width, height }, { detail, colours })
  if (vectorized.busy) task.warn(message('picture.not_flat'))
  if (vectorized.sheer) task.warn(message('picture.sheer'))
  await writeFile(path, vectorized.svg)
}

interface StillExtra {
  /** Number of this output among several, from 0; keeps their files separate. */
  index?: number
  /** File name for people, if numbering the input's stem is not enough. */
  name?: string
}

/** Path in the task's folder for output number `index`. */
export const outputPath = (task: Task, index = 0): string => {
  const suffix = isFormatKey(task.target) ? formats[task.target].suffixes[0] : task.target
  return join(task.folder, `output-${index}.${suffix}`)
}

/**
 * Writes one picture in the task's target format according to the settings: size, colour, background, metadata,
 * quality. Colours are converted by their profile, and the orientation is applied.
 * @throws JobFailure corrupt_input, too_large, unsupported_input
 */
export async function encodeImage(
  task: Task,
  decoded: Pixels | Encoded,
  wanted: ImageSettings,
  extra: StillExtra = {},
): Promise<Output[]> {
  const { target } = task
  // One frame is a PNG like any other.
  if (target === 'apng') return encodeImage({ ...task, target: 'png' }, decoded, wanted, extra)
  const path = outputPath(task, extra.index)
  const given = await withHdr(task, decoded, wanted)
  const gainMap = await gainMapOf(task, given, wanted)
  const blocks = await metadataOf(given, wanted)
  const source = await edited(task, target === 'pdf' ? given : withoutDescription(given), wanted)
  const settings = afterEdits(wanted)
  if (target === 'pdf') {
    await writePdf(path, [await pdfPage(task, source, settings)])
    return [output(path, extra.name)]
  }
  // WebP and AVIF have no grey format.
  const keepsGreyProfile =
    (settings.metadata.keep !== 'none' || settings.colour === 'keep') && GREY.has(target)
  const picture = await openPicture(source, { keepsGreyProfile })
  const size = targetSize(picture, settings.resize)
  const onDamage = () => task.warn(DAMAGED)
  if (isIcon(target)) {
    let isDamaged = false
    const onPart = () => {
      if (!isDamaged) onDamage()
      isDamaged = true
    }
    const square = { ...picture, size: size ?? picture, onDamage: onPart }
    if (settings.website) return writeWebsite(square, task)
    if (target === 'icns') await writeIcns(square, path)
    else await writeIcon(square, settings.iconSizes, path)
  } else if (target === 'bmp') {
    await writeBmp(await renderPicture(picture, size, onDamage), path, picture.metadata.density)
  } else if (target === 'svg') {
    await writeTraced(task, picture, size ?? picture, settings, path)
  } else if (target === 'heic') {
    await writeHeic(await renderPicture(picture, size, onDamage), settings.quality ?? 60, path)
  } else if (target === 'exr') {
    await writeExr(picture, size, path, onDamage)
  } else if (isMagickTarget(target)) {
    const { quality = 100 } = settings
    const rows = await renderPicture(picture, size, onDamage, given.hdr !== undefined)
    if (target === 'jxl') await writeJpegXl(rows, quality, path, given.hdr)
    else await writePicture(rows, target, quality, path)
  } else if (isEncoder(target)) {
    const encode = { ...encodeSettings(settings), size, codePoints: given.hdr }
    if (settings.most === undefined) await encodePicture(picture, target, encode, path, onDamage)
    else {
      const most = settings.most - (gainMap?.length ?? 0)
      const reduced = await encodeToSize(picture, target, encode, path, onDamage, most)
      if (reduced) task.warn(message('picture.reduced', reduced))
    }
    if (settings.smart === 'lossless' && !size) await warnOfGrowth(task, path)
  } else {
    throw new Error(`no still picture is written as ${target}`)
  }
  await writeMetadata(path, blocks)
  if (gainMap) await writeGainMap(path, gainMap, task)
  return [output(path, extra.name)]
}

/** Puts a gain map, as it stands behind a JPEG, into a finished file. */
async function writeGainMap(path: string, map: Buffer, { target, folder }: Task): Promise<void> {
  const file = await readFile(path)
  const parameters = parametersOf(map)
  if (target === 'jpg' || !parameters) return writeFile(path, withGainMap(file, map))
  if (target === 'avif') return writeFile(path, await avifWithGainMap(file, map, parameters))
  const coded = join(folder, 'gain-map.jxl')
  await writeJpegXl(await renderPicture(await openPicture({ encoded: map }), undefined, () => {}), 85, coded)
  await writeFile(path, withBoxes(file, gainMapBox(await readFile(coded), parameters)))
  await rm(coded)
}

/** JPEG XL by ffmpeg, if it can, or by ImageMagick. */
const writeJpegXl: typeof writeJxl = async (rows, quality, path, hdr) =>
  (await isJxlWritten()) ? writeJxl(rows, quality, path, hdr) : writePicture(rows, 'jxl', quality, path)

/** From this factor on, a warning says that lossless encoding made their file larger. */
const GROWTH = 2

/** A lossy photo, including its compression artefacts, takes much space to store exactly. */
async function warnOfGrowth(task: Task, path: string): Promise<void> {
  const times = (await stat(path)).size / task.input.bytes
  if (times >= GROWTH) task.warn(message('picture.lossless_larger', { times: Math.round(times) }))
}

/** Decoded pixels without descriptive metadata; colours and orientation stay correct. */
function withoutDescription(source: Pixels | Encoded): Pixels | Encoded {
  if ('encoded' in source) return source
  const { exif: _exif, xmp: _xmp, ...pixels } = source
  return pixels
}

const output = (path: string, name: string | undefined): Output => (name ? { path, name } : { path })

export const encodeSettings = (settings: ImageSettings): EncodeSettings => ({
  ...settings,
  keepsProfile: settings.metadata.keep !== 'none',
})
