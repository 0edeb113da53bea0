/** HDR of HEIC and AVIF, above all gain maps: a tone map (ISO 21496-1), or the auxiliary picture of Apple. */
import { open, readFile } from 'node:fs/promises'
import { readAt } from '../../common/read-at.ts'
import { contentsOf, fileOf } from '../avif/items-write.ts'
import { HDR_CURVES } from '../formats/code-points.ts'
import { describedMap, mapOfApple, statedHeadroom } from '../formats/gain-map.ts'
import { readParameters } from '../formats/gain-map-parameters.ts'
import { appleHeadroom } from '../metadata/exif.ts'
import type { Pixels } from '../pixels.ts'
import { type Sharp, sharp } from '../sharp/load.ts'
import { wrapTiff } from '../sharp/tiff.ts'
import { decodeWithFfmpeg } from './ffmpeg.ts'
import { type Item, type Items, readItems, referring } from './items.ts'
import { describe } from './picture.ts'
import { auxiliaryType } from './properties.ts'

/** The brands of a file are among its first bytes, and the names of what belongs to the picture in its first boxes. */
const BRANDS = 128
const BOXES = 65_536

const APPLE = 'urn:com:apple:photo:2020:aux:hdrgainmap'

/** Whether there is a second, brighter rendition for HDR screens, and whether the only one is in PQ or HLG. */
export async function hdrOf(path: string): Promise<{ gainMap: boolean; curve: boolean }> {
  await using file = await open(path)
  const head = await readAt(file, 0, BOXES)
  const gainMap = head.subarray(0, BRANDS).includes('tmap', 0, 'latin1') || head.includes(APPLE, 0, 'latin1')
  // ISO/IEC 23008-12, 6.5.5: the type, then two bytes each of the code points of primaries and transfer.
  const transfer = head.indexOf('colrnclx', 0, 'latin1') + 10
  const isStated = transfer > 9 && transfer + 2 <= head.length
  return { gainMap, curve: !gainMap && isStated && HDR_CURVES.has(head.readUInt16BE(transfer)) }
}

/** How the gain map of a file is read, if it has one. */
export const gainMapIn = async (path: string): Promise<Pick<Pixels, 'gainMap'>> =>
  (await hdrOf(path)).gainMap ? { gainMap: () => readGainMap(path) } : {}

/** The gain map of a file, upright, as it stands behind a JPEG; undefined if there is none that can be read. */
async function readGainMap(path: string): Promise<Buffer | undefined> {
  const file = await readFile(path)
  const items = readItems(file)
  const tone = items.all.values().find(({ type }) => type === 'tmap')
  const [base, mapId = 0] = tone?.references.get('dimg') ?? []
  const map = items.all.get(mapId)
  if (tone && map && base === items.primary.id) {
    // The first byte is the version of the item.
    const parameters = readParameters(items.data(tone).subarray(1))
    const isBrighter = parameters && parameters.alternateHeadroom > parameters.baseHeadroom
    if (!isBrighter) return undefined
    const picture = await decoded(items, map, file.length)
    const grey = parameters.channels.length === 1 ? picture.toColourspace('b-w') : picture
    return describedMap(await grey.jpeg({ quality: 90 }).toBuffer(), parameters)
  }
  const own = referring(items, 'auxl').find(item => auxiliaryType(item) === APPLE)
  if (!own) return undefined
  const { exif } = describe(items)
  const packet = referring({ ...items, primary: own }, 'cdsc').find(({ type }) => type === 'mime')
  const headroom = (packet && statedHeadroom(items.data(packet))) ?? (exif && appleHeadroom(exif))
  return headroom && headroom > 1 ? mapOfApple(await decoded(items, own, file.length), headroom) : undefined
}

/** An item that is no picture of its own, upright. */
async function decoded(items: Items, map: Item, fileSize: number): Promise<Sharp> {
  const own = { ...items, primary: map }
  const { orientation, orientedByExif } = describe(items)
  // Only the primary picture has an EXIF block.
  const picture = { ...describe(own), ...(orientedByExif && { orientation }) }
  if (picture.coding !== 'av01') return sharp(wrapTiff(await decodeWithFfmpeg(own, picture, fileSize)))
  const tiles = map.references.get('dimg') ?? []
  return sharp(fileOf(contentsOf(own, item => item !== map && !tiles.includes(item.id))))
}
