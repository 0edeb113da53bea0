import { readFile } from 'node:fs/promises'
import { namedColours } from '../formats/code-points.ts'
import type { Pixels } from '../pixels.ts'
import { decodeWithFfmpeg, suitsFfmpeg } from './ffmpeg.ts'
import { readItems, referring } from './items.ts'
import { describe } from './picture.ts'

/**
 * The small picture that cameras store beside the primary one of a HEIC file, referenced by `thmb` (ISO/IEC 23008-12,
 * 6.4.7); undefined if there is none that can be read.
 */
export async function readHeifThumbnail(path: string): Promise<Pixels | undefined> {
  try {
    const file = await readFile(path)
    const items = readItems(file)
    const primary = referring(items, 'thmb').next().value
    if (!primary) return undefined
    const own = { ...items, primary }
    const picture = describe(own)
    if (!suitsFfmpeg(picture)) return undefined
    // Only the primary picture has an EXIF block.
    const whole = describe(items)
    const { orientation } = whole.orientedByExif ? whole : picture
    const pixels = await decodeWithFfmpeg(own, { ...picture, orientation }, file.length)
    const { icc } = picture
    return { ...pixels, ...(icc ? { icc } : namedColours(picture)) }
  } catch {
    return undefined
  }
}
