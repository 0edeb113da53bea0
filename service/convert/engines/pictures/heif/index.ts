/** Reads HEIC pictures: the structure is parsed here; ffmpeg decodes what it handles correctly, libheif the rest. */

import { readFile } from 'node:fs/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import { namedColours } from '../formats/code-points.ts'
import { decodeWithLibheif } from '../libheif/index.ts'
import { orientedExif } from '../metadata/exif.ts'
import type { Pixels } from '../pixels.ts'
import { decodeWithFfmpeg, suitsFfmpeg } from './ffmpeg.ts'
import { corrupt, readItems, unknownCoding } from './items.ts'
import { describe, type HeifPicture, isComplete } from './picture.ts'

interface HeifOptions {
  /** Called if the picture is damaged and only part of it could be read. */
  onDamage?: () => void
  /** Repeats samples of coarser chroma instead of smoothing them, so that a JPEG of the same chroma gets them as they are. */
  repeatsChroma?: boolean
}

/** Item types of HEVC, and of pictures derived from others. */
const HEVC = new Set(['hvc1', 'hev1', 'iden', 'iovl'])

const isCorrupt = (error: unknown) => error instanceof JobFailure && error.code === 'jobs.corrupt_input'

/**
 * Decodes the primary picture of a HEIF file to RGB or RGBA with its colour profile, EXIF and XMP. Rotation and
 * mirroring are taken from the file's properties, or from EXIF where that counts; `orientation` is what a decoder left to be applied.
 * @param origin the file, or its path
 * @returns undefined for one that is coded in AV1, which the reader of AVIF decodes
 * @throws JobFailure corrupt_input, unsupported_input, too_large
 */
export async function decodeHeif(
  origin: string | Uint8Array,
  options: HeifOptions = {},
): Promise<Pixels | undefined> {
  const file = typeof origin === 'string' ? await readFile(origin) : origin
  const items = readItems(file)
  const picture = describe(items)
  if (picture.coding === 'av01') return undefined

  if (!isComplete(file)) throw corrupt()
  const { onDamage, repeatsChroma = false } = options
  const meta = describedBy(picture)
  let damaged = false
  if (suitsFfmpeg(picture)) {
    try {
      const pixels = await decodeWithFfmpeg(items, picture, file.length, repeatsChroma)
      return { ...pixels, ...meta }
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error
      // Without ffmpeg, or with one that lacks HEVC, the file may still be intact.
      damaged = isCorrupt(error)
    }
  }
  const pixels = await decodeWithLibheif(file).catch(error => {
    throw isCorrupt(error) && !HEVC.has(picture.coding) ? unknownCoding() : error
  })
  if (damaged) onDamage?.()
  return { ...pixels, ...meta, ...(picture.orientedByExif && { orientation: picture.orientation }) }
}

/** Profile and metadata of a picture whose rows will be upright. */
function describedBy(picture: HeifPicture): Partial<Pixels> {
  const { icc, xmp } = picture
  const exif = picture.exif && orientedExif(picture.exif, 1)
  return {
    ...(icc ? { icc } : namedColours(picture)),
    ...(exif && { exif }),
    ...(xmp && { xmp }),
  }
}
