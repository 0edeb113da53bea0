/** How gain maps are applied (ISO 21496-1; Ultra HDR, hdrgm 1.0): values are logarithms to base 2, but for gamma and offsets. */
import { ByteReader } from '../../common/byte-reader.ts'
import { u8, u16, u32 } from '../../common/iso-boxes.ts'

export interface GainMapParameters {
  /** One for all colours, or red, green and blue. */
  channels: Record<Field, number>[]
  /** How much brighter than white the picture itself may be, and its other rendition. */
  baseHeadroom: number
  alternateHeadroom: number
}

type Field = 'min' | 'max' | 'gamma' | 'baseOffset' | 'alternateOffset'

const FIELDS: readonly Field[] = ['min', 'max', 'gamma', 'baseOffset', 'alternateOffset']
const [SEVERAL, COMMON, BASE_SPACE] = [0x80, 0x08, 0x40]

/** Reads the binary form, from its versions on; undefined if a later version is needed for it. */
export function readParameters(payload: Uint8Array): GainMapParameters | undefined {
  const reader = new ByteReader(payload)
  if (reader.u16() > 0) return undefined
  reader.u16()
  const flags = reader.u8()
  const common = flags & COMMON ? reader.u32() : 0
  const fraction = (isSigned = false) => {
    const above = isSigned ? reader.i32() : reader.u32()
    return above / (common || reader.u32() || 1)
  }
  const [baseHeadroom, alternateHeadroom] = [fraction(), fraction()]
  const channels = Array.from({ length: flags & SEVERAL ? 3 : 1 }, () => {
    const values = FIELDS.map(field => [field, fraction(field !== 'gamma')])
    return Object.fromEntries(values) as Record<Field, number>
  })
  return { channels, baseHeadroom, alternateHeadroom }
}

const DENOMINATOR = 1_000_000

/** The binary form, in which JPEG, AVIF and JPEG XL contain it. */
export function parameterBytes({ channels, baseHeadroom, alternateHeadroom }: GainMapParameters): Buffer {
  const fraction = (value: number) => u32(Math.round(value * DENOMINATOR) >>> 0, DENOMINATOR)
  return Buffer.concat([
    u16(0, 0),
    u8(BASE_SPACE | (channels.length === 3 ? SEVERAL : 0)),
    fraction(baseHeadroom),
    fraction(alternateHeadroom),
    ...channels.flatMap(channel => FIELDS.map(field => fraction(channel[field]))),
  ])
}

/** Names and defaults in Ultra HDR. */
const NAMES: readonly [Field, string, number][] = [
  ['min', 'GainMapMin', 0],
  ['max', 'GainMapMax', Number.NaN],
  ['gamma', 'Gamma', 1],
  ['baseOffset', 'OffsetSDR', 1 / 64],
  ['alternateOffset', 'OffsetHDR', 1 / 64],
]

/** Reads the properties of Ultra HDR in an XMP packet; undefined if there are none, or if the picture is the brighter rendition. */
export function readProperties(packet: string): GainMapParameters | undefined {
  const numbers = (name: string): number[] => {
    const found = new RegExp(`hdrgm:${name}(?:="([^"<]*)"|>([^]{0,1000}?)</hdrgm:${name}>)`).exec(packet)
    return [...(found?.[1] ?? found?.[2] ?? '').matchAll(/(?<![\w-])-?\d+(?:\.\d*)?(?:e-?\d+)?/gi)].map(
      Number,
    )
  }
  const all = NAMES.map(([, name]) => numbers(name))
  const length = all.some(values => values.length >= 3) ? 3 : 1
  const channels = Array.from({ length }, (_, at) => {
    const values = NAMES.map(([field, , usual], index) => [field, all[index]![at] ?? all[index]![0] ?? usual])
    return Object.fromEntries(values) as Record<Field, number>
  })
  const [baseHeadroom = 0] = numbers('HDRCapacityMin')
  const [alternateHeadroom = Number.NaN] = numbers('HDRCapacityMax')
  const isUsable = Number.isFinite(alternateHeadroom) && channels.every(({ max }) => Number.isFinite(max))
  return isUsable && !/BaseRenditionIsHDR="True"/i.test(packet)
    ? { channels, baseHeadroom, alternateHeadroom }
    : undefined
}

/** An XMP packet with the properties of Ultra HDR. */
export function propertiesOf({ channels, baseHeadroom, alternateHeadroom }: GainMapParameters): string {
  const lists = NAMES.map(([field, name]) => {
    const values = channels.map(channel => `<rdf:li>${channel[field]}</rdf:li>`).join('')
    return `<hdrgm:${name}><rdf:Seq>${values}</rdf:Seq></hdrgm:${name}>`
  })
  const single = NAMES.map(([field, name]) => ` hdrgm:${name}="${channels[0]?.[field]}"`)
  const isSingle = channels.length === 1
  const common = `hdrgm:Version="1.0" hdrgm:BaseRenditionIsHDR="False" hdrgm:HDRCapacityMin="${baseHeadroom}" hdrgm:HDRCapacityMax="${alternateHeadroom}"`
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" ${common}${isSingle ? single.join('') : ''}>${isSingle ? '' : lists.join('')}</rdf:Description></rdf:RDF></x:xmpmeta>`
}
