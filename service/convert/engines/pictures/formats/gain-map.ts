/**
 * Gain maps: a second picture in a JPEG that makes the first one brighter on HDR screens (ISO 21496-1, Google's Ultra HDR, Apple's).
 * The map is a JPEG whose own segments say how it is applied.
 */
import { open } from 'node:fs/promises'
import { u32 } from '../../common/iso-boxes.ts'
import { readAt } from '../../common/read-at.ts'
import type { Size } from '../../common/rectangle.ts'
import { appleHeadroom, streamOf } from '../metadata/exif.ts'
import { withProperties } from '../metadata/xmp.ts'
import { type Area, type Moves, moved } from '../moves.ts'
import { type Sharp, sharp } from '../sharp/load.ts'
import {
  type GainMapParameters,
  parameterBytes,
  propertiesOf,
  readParameters,
  readProperties,
} from './gain-map-parameters.ts'
import { APP1, APP2, beginsWith, headerSegments, segment, segments, XMP } from './jpeg.ts'
import { turnedJpeg } from './jpeg-turn.ts'
import { TiffWriter } from './tiff.ts'

const ISO = 'urn:iso:std:iso:ts:21496:-1\0'

/** The segments that say how a map is applied. */
const describing = (map: Buffer) =>
  [...segments(map)].filter(
    ({ marker, data }) => [APP1, APP2].includes(marker) && [ISO, XMP].some(name => beginsWith(data, name)),
  )

/** The JPEG with these segments before its own. */
const preceded = (file: Buffer, ...parts: Uint8Array[]) =>
  Buffer.concat([file.subarray(0, 2), ...parts, file.subarray(2)])

/**
 * The map of a picture that is cut and moved.
 * @param area of the picture before it is moved, and `size` of the whole picture
 */
export async function movedMap(map: Buffer, moves: Moves, area: Area, size: Size): Promise<Buffer> {
  const own = await sharp(map).metadata()
  const [across, down] = [own.width / size.width, own.height / size.height]
  const left = Math.min(own.width - 1, Math.round(area.left * across))
  const top = Math.min(own.height - 1, Math.round(area.top * down))
  const width = Math.max(1, Math.min(own.width - left, Math.round(area.width * across)))
  const height = Math.max(1, Math.min(own.height - top, Math.round(area.height * down)))
  if (moves === '' && width === own.width && height === own.height) return map
  const part = { left, top, width, height }
  const turned = turnedJpeg(map, moves, part)
  if (turned) return turned
  const data = await moved(sharp(await sharp(map).extract(part).toFormat('png').toBuffer()), moves)
    .jpeg({ quality: 90 })
    .toBuffer()
  return preceded(data, ...describing(map).map(({ start, end }) => map.subarray(start, end)))
}

/** A map as it stands behind a JPEG, with how it is applied. */
export const describedMap = (map: Buffer, parameters: GainMapParameters): Buffer =>
  preceded(
    map,
    segment(APP1, Buffer.from(XMP + propertiesOf(parameters))),
    segment(APP2, Buffer.concat([Buffer.from(ISO), parameterBytes(parameters)])),
  )

/** How a map that stands behind a JPEG is applied; undefined if it says so in another way. */
export function parametersOf(map: Buffer): GainMapParameters | undefined {
  const [iso, xmp] = [ISO, XMP].map(name => describing(map).find(({ data }) => beginsWith(data, name))?.data)
  return (iso && readParameters(iso.subarray(ISO.length))) ?? (xmp && readProperties(xmp.toString('latin1')))
}

/** How much of a file is searched for what lists its pictures. */
const HEAD = 262_144

/**
 * The gain map behind a JPEG by its list of pictures (CIPA DC-007, MPF): libultrahdr does not find those whose colours differ in how
 * the map is applied, as Adobe writes them. Its tag B002 has size and place of each picture in 16 bytes. Undefined if there is none.
 */
export async function mapBehind(origin: string | Uint8Array): Promise<Buffer | undefined> {
  await using opened = typeof origin === 'string' ? await open(origin) : undefined
  const head = opened ? await readAt(opened, 0, HEAD) : Buffer.from(origin)
  const list = headerSegments(head).find(({ marker, data }) => marker === APP2 && beginsWith(data, 'MPF\0'))
  const index = list?.data.subarray(4) ?? Buffer.alloc(0)
  const isLittle = beginsWith(index, 'II')
  const entry = index.indexOf(isLittle ? '02b00700' : 'b0020007', 'hex')
  if (entry < 0) return undefined
  try {
    const number = (at: number) => (isLittle ? index.readUInt32LE(at) : index.readUInt32BE(at))
    const [bytes, first] = [number(entry + 4), number(entry + 8)]
    const file = opened ? await opened.readFile() : head
    for (let from = first + 16; from < first + bytes; from += 16) {
      const start = index.byteOffset - head.byteOffset + number(from + 8)
      const map = file.subarray(start, start + number(from + 4))
      if (parametersOf(map)) return map
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return undefined
}

/** The headroom of a map of Apple, as its metadata or the EXIF of its picture say. */
export function appleHeadroomOf(map: Buffer, exif: Buffer | undefined): number | undefined {
  const packet = describing(map).find(({ data }) => data.includes('HDRGainMapVersion', 0, 'latin1'))
  const stated = packet && statedHeadroom(packet.data)
  return packet && (stated ?? (exif && appleHeadroom(streamOf(exif))))
}

/** The headroom in an XMP packet of Apple. */
export function statedHeadroom(packet: Uint8Array): number | undefined {
  const found = /HDRGainMap:HDRGainMapHeadroom(?:="|>)([\d.]+)/.exec(Buffer.from(packet).toString('latin1'))
  return found ? Number(found[1]) : undefined
}

/** A map of Apple, which says how much of its headroom each pixel gets, as others have it: logarithms. */
export async function mapOfApple(map: Sharp, headroom: number): Promise<Buffer> {
  const { data, info } = await map.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  const levels = Uint8Array.from({ length: 256 }, (_, level) => {
    const share = level <= 10 ? level / 255 / 12.92 : ((level / 255 + 0.055) / 1.055) ** 2.4
    return Math.round((255 * Math.log2(1 + (headroom - 1) * share)) / Math.log2(headroom))
  })
  const grey = data.map(level => levels[level]!)
  const { width, height } = info
  const encoded = await sharp(grey, { raw: { width, height, channels: 1 } })
    .jpeg({ quality: 90 })
    .toBuffer()
  const offset = 1e-6
  return describedMap(encoded, {
    channels: [{ min: 0, max: Math.log2(headroom), gamma: 1, baseOffset: offset, alternateOffset: offset }],
    baseHeadroom: 0,
    alternateHeadroom: Math.log2(headroom),
  })
}

/** What tells readers of Ultra HDR that a second picture of so many bytes is a gain map. */
const container = (bytes: number) =>
  `<Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/></rdf:li><rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="${bytes}"/></rdf:li></rdf:Seq></Container:Directory>`

/** The list of two pictures of so many bytes, the second so far from its byte order (CIPA DC-007, MPF). */
function listOf(bytes: number, mapBytes: number, distance: number): Buffer {
  const writer = new TiffWriter(false)
  // The kind, size and place of each: the first one is what is shown.
  const pictures = u32(0x30000, bytes, 0, 0, 0, mapBytes, distance, 0)
  const entries = [
    { tag: 0xb000, type: 7, count: 4, value: Buffer.from('0100') },
    writer.entry(0xb001, 4, 2),
    { tag: 0xb002, type: 7, count: pictures.length, value: pictures },
  ]
  return segment(APP2, Buffer.concat([Buffer.from('MPF\0'), writer.header(), writer.directory(entries, 8)]))
}

/** A JPEG without what it says of further pictures behind it. */
export const alone = (file: Buffer): Buffer =>
  [...segments(file)]
    .filter(({ marker, data }) => marker === APP2 && ['MPF\0', ISO].some(name => beginsWith(data, name)))
    .reduceRight((rest, { start, end }) => Buffer.concat([rest.subarray(0, start), rest.subarray(end)]), file)

/** A JPEG with a gain map behind it. */
export function withGainMap(file: Buffer, map: Buffer): Buffer {
  const described = describing(map)
  const isIso = described.some(({ marker }) => marker === APP2)
  const isUltraHdr = described.some(({ data }) => data.includes('hdr-gain-map', 0, 'latin1'))
  // Other metadata of the picture stay.
  const own = [...segments(file)].find(({ data }) => beginsWith(data, XMP))
  const kept = own?.data.toString('utf8', XMP.length)
  const packet = isUltraHdr ? withProperties(kept, container(map.length), ' hdrgm:Version="1.0"') : kept
  const stripped = own ? Buffer.concat([file.subarray(0, own.start), file.subarray(own.end)]) : file
  const parts = [
    ...(packet === undefined ? [] : [segment(APP1, Buffer.from(XMP + packet))]),
    ...(isIso ? [segment(APP2, Buffer.from(`${ISO}\0\0\0\0`, 'latin1'))] : []),
  ]
  // JFIF's segment and EXIF come first.
  const first = [...segments(stripped)].find(({ marker }) => marker !== 0xe0 && marker !== APP1)?.start ?? 2
  const before = Buffer.concat([stripped.subarray(0, first), ...parts])
  const length = before.length + listOf(0, 0, 0).length + stripped.length - first
  // The byte order follows the marker, the length and the name of the segment.
  const list = listOf(length, map.length, length - before.length - 8)
  return Buffer.concat([before, list, stripped.subarray(first), map])
}
