import { ByteReader } from '../../common/byte-reader.ts'
import { u32 } from '../../common/iso-boxes.ts'
import { corrupt, type Items } from './items.ts'
import { matroskaOf } from './matroska.ts'
import type { HeifPicture } from './picture.ts'
import { type HevcSetup, hevcSetupOf } from './properties.ts'

/** Maximum number of units in a tile; real encoders write a handful. */
const UNIT_LIMIT = 20_000

/** Bytes of the length before each unit. */
const LENGTH_SIZE = 4

/** Unit types that contain a picture's slices, and those of pictures at which decoding can start (H.265, table 7-1). */
const isSlice = (type: number) => type < 32
const isRandomAccess = (type: number) => type >= 16 && type <= 23

/** The first tile's HEVC configuration, or undefined if the tiles differ in sampling or depth. */
export function commonSetup(picture: HeifPicture): HevcSetup | undefined {
  const setups = picture.tiles.map(hevcSetupOf)
  const first = setups[0]!
  const alike = setups.every(({ chroma, bitDepth }) => chroma === first.chroma && bitDepth === first.bitDepth)
  return alike ? first : undefined
}

/**
 * The consecutive coded tiles as a video. Each tile must be exactly one independent picture: if the decoder found none or two, all
 * tiles after it would be shifted. In a container that states the configuration, ffmpeg need not decode the first picture twice, as it
 * does to learn the properties of a plain stream: a picture in a single tile takes a third less time.
 * @throws JobFailure corrupt_input
 */
export function videoOf(items: Items, picture: HeifPicture, limit: number): Uint8Array[] {
  const configuration = configurationOf(hevcSetupOf(picture.tiles[0]!))
  let parameters: Uint8Array | undefined
  let total = 0
  const pictures = picture.tiles.map(tile => {
    const setup = hevcSetupOf(tile)
    const isKnown = !parameters || Buffer.compare(parameters, setup.box) === 0
    parameters = setup.box
    const data = items.data(tile)
    total += data.length
    if (total > limit) throw corrupt()
    const units = [...(isKnown ? [] : setup.units), ...unitsOf(data, setup.lengthSize)]
    return units.flatMap(unit => [u32(unit.length), unit])
  })
  return matroskaOf(configuration, picture.tile, pictures)
}

/** The configuration with units whose lengths have `LENGTH_SIZE` bytes. */
function configurationOf({ box }: HevcSetup): Uint8Array {
  const configuration = Buffer.from(box)
  configuration[0] = 1 // Version; drafts of the standard had 0.
  configuration[21]! |= LENGTH_SIZE - 1
  return configuration
}

function unitsOf(data: Uint8Array, lengthSize: number): Uint8Array[] {
  const reader = new ByteReader(data)
  const units: Uint8Array[] = []
  let pictures = 0
  while (reader.remaining > 0) {
    let length = 0
    for (let byte = 0; byte < lengthSize; byte++) length = length * 256 + reader.u8()
    const unit = reader.take(length)
    if (unit.length < 3 || units.length >= UNIT_LIMIT) throw corrupt()
    const type = (unit[0]! >> 1) & 63
    // The first bit of a slice says whether it begins a picture.
    if (isSlice(type)) {
      if (unit[2]! & 0x80) pictures++
      if (pictures !== 1 || !isRandomAccess(type)) throw corrupt()
    }
    units.push(unit)
  }
  if (pictures !== 1) throw corrupt()
  return units
}
