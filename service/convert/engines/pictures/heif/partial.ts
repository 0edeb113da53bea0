/**
 * Decodes what is left of a truncated HEIC or AVIF picture: its complete tiles, and the first rows of the tile in which
 * the file ends.
 */
import { ivfFrameHeader, ivfHeader, sequenceHeader } from '../avif/av1.ts'
import type { Pixels } from '../pixels.ts'
import { corrupt } from './failure.ts'
import { decodeTiles } from './ffmpeg.ts'
import { videoOf } from './hevc.ts'
import type { Item, Items } from './items.ts'
import type { HeifPicture } from './picture.ts'
import { av1SetupOf, hevcSetupOf } from './properties.ts'

/** How many missing bytes are filled in at most, whatever length a file claims. */
const FILLED_BYTES_LIMIT = 100_000_000

/**
 * Two values to replace missing bytes. Pixels that decode the same with both do not depend on them and belong to the
 * picture; pixels that differ do not.
 */
const FILLINGS = [0x00, 0x55]

/**
 * Decodes what a truncated file still has of its picture. Missing parts are transparent.
 * @param picture described as partial
 * @returns RGBA, cropped, before rotation; the picture's own transparency is left out
 * @throws JobFailure corrupt_input if nothing is left; engine_missing without an ffmpeg that can decode it
 */
export async function decodePartial(items: Items, picture: HeifPicture): Promise<Pixels> {
  const { tiles, plain } = picture
  const rests = tiles.map(tile => items.rest(tile))
  const missing = rests.reduce((sum, { data, length }) => sum + length - data.length, 0)
  const usable = rests.findIndex(({ data, length }) => data.length > 0 && data.length === length)
  const stub = usable >= 0 ? usable : rests.findIndex(({ data }) => data.length > 0)
  if (!plain || stub < 0 || missing > FILLED_BYTES_LIMIT) throw corrupt()
  /** The file as if nothing was missing: bytes are filled in, and another tile replaces a missing one. */
  const filled = (filling: number): Items => {
    const data = new Map(
      tiles.map((tile, index) => {
        const rest = rests[index]!.data.length > 0 ? index : stub
        return [tile, fill(tiles[rest]!, rests[rest]!, filling)]
      }),
    )
    return { ...items, data: item => data.get(item) ?? items.data(item) }
  }
  const isWhole = (index: number) => rests[index]!.data.length === rests[index]!.length
  const decode = (filling: number, part = picture) => decodeTiles(part, codedTiles(filled(filling), part))
  const [one = 0, other = 0] = FILLINGS
  const first = await decode(one)
  const cut = rests.findIndex(({ data, length }) => data.length > 0 && data.length < length)
  let cutRows = 0
  if (cut >= 0 && tiles.length === 1) cutRows = equalRows(areaOf(picture, 0), first, await decode(other))
  else if (cut >= 0) {
    const { tile } = picture
    const alone = { ...picture, tiles: [tiles[cut]!], columns: 1, rows: 1, size: tile, crop: undefined }
    cutRows = equalRows(areaOf(alone, 0), await decode(one, alone), await decode(other, alone))
  }
  const shown = showTiles(picture, first, index =>
    isWhole(index) ? Number.POSITIVE_INFINITY : index === cut ? cutRows : 0,
  )
  if (!shown) throw corrupt()
  return shown
}

/** Coded data extended to their original length, or to the end of the unit in which they stop. */
function fill(tile: Item, { data, length }: ReturnType<Items['rest']>, filling: number): Uint8Array {
  let end = length
  if (tile.type !== 'av01') {
    // HEVC units contain their length; a unit without it is dropped.
    const { lengthSize } = hevcSetupOf(tile)
    end = 0
    while (end + lengthSize <= data.length && end < data.length) {
      end +=
        lengthSize + Buffer.from(data.buffer, data.byteOffset + end, lengthSize).readUIntBE(0, lengthSize)
    }
    end = Math.min(end, length)
  }
  const filled = Buffer.alloc(Math.max(end, 0), filling)
  filled.set(data.subarray(0, end))
  return filled
}

function codedTiles(items: Items, picture: HeifPicture) {
  const { tiles, tile } = picture
  if (picture.coding === 'av01') {
    const { highBitDepth, header } = av1SetupOf(tiles[0]!)
    const frames = tiles.flatMap((item, index) => {
      const data = Buffer.from(items.data(item))
      const unit = sequenceHeader(data) ? data : Buffer.concat([header, data])
      return [ivfFrameHeader(unit.length, index), unit]
    })
    const stream = Buffer.concat([ivfHeader(tile.width, tile.height), ...frames])
    // The other AV1 decoder shows nothing of an incomplete picture.
    return { stream, demuxer: 'ivf', highBitDepth, inputOptions: ['-c:v', 'libdav1d'] } as const
  }
  const stream = Buffer.concat(videoOf(items, picture, Number.POSITIVE_INFINITY))
  return {
    stream,
    demuxer: 'matroska',
    highBitDepth: hevcSetupOf(tiles[0]!).bitDepth > 8,
    inputOptions: [],
  } as const
}

/** A tile's visible part of the picture. */
function areaOf({ columns, tile, crop, size }: HeifPicture, index: number) {
  const { left, top, width, height } = crop ?? { left: 0, top: 0, ...size }
  const x = (index % columns) * tile.width - left
  const y = Math.floor(index / columns) * tile.height - top
  const within = (value: number, most: number) => Math.min(Math.max(value, 0), most)
  return {
    left: within(x, width),
    right: within(x + tile.width, width),
    top: within(y, height),
    bottom: within(y + tile.height, height),
  }
}

/** Number of a tile's rows, from the first, that are equal in two decodings. */
function equalRows({ left, right, top, bottom }: ReturnType<typeof areaOf>, a: Pixels, b: Pixels): number {
  for (let row = top; row < bottom; row++) {
    const [start, end] = [(row * a.width + left) * 3, (row * a.width + right) * 3]
    for (let at = start; at < end; at++) if (a.data[at] !== b.data[at]) return row - top
  }
  return bottom - top
}

/** The picture with this many rows of each tile, transparent elsewhere; undefined if nothing is left. */
function showTiles(
  picture: HeifPicture,
  { data, width, height }: Pixels,
  rowsOf: (index: number) => number,
): Pixels | undefined {
  const highBitDepth = data instanceof Uint16Array
  const shown = highBitDepth ? new Uint16Array(width * height * 4) : new Uint8Array(width * height * 4)
  let rows = 0
  for (const index of picture.tiles.keys()) {
    const { left, right, top, bottom } = areaOf(picture, index)
    const end = Math.min(bottom, top + rowsOf(index))
    for (let row = top; row < end; row++) {
      rows++
      for (let at = row * width + left; at < row * width + right; at++) {
        for (let channel = 0; channel < 3; channel++) shown[at * 4 + channel] = data[at * 3 + channel]!
        shown[at * 4 + 3] = highBitDepth ? 65_535 : 255
      }
    }
  }
  return rows > 0 ? { data: shown, width, height, channels: 4 } : undefined
}
