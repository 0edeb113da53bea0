import { open } from 'node:fs/promises'
import { readAt } from '../../common/read-at.ts'

/** The brands of a file are among its first bytes, and the names of what belongs to the picture in its first boxes. */
const BRANDS = 128
const BOXES = 65_536

/**
 * Whether a HEIC or AVIF file has a second, brighter rendition for HDR screens: a tone map (ISO 21496-1), or Apple's auxiliary
 * picture `urn:com:apple:photo:2020:aux:hdrgainmap`.
 */
export async function hasGainMap(path: string): Promise<boolean> {
  await using file = await open(path)
  const head = await readAt(file, 0, BOXES)
  return (
    head.subarray(0, BRANDS).includes('tmap', 0, 'latin1') || head.includes('aux:hdrgainmap', 0, 'latin1')
  )
}
