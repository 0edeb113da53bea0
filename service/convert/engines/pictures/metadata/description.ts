/** What pictures say about themselves in EXIF, IPTC and XMP alike, as the Metadata Working Group maps their fields to each other. */
import { decodeText } from '../../common/text.ts'
import type { IfdEntry } from '../formats/tiff.ts'
import { emptyExif, hasPlaceTags, orientedExif, withTags } from './exif.ts'
import { IPTC_PLACE, readIptc, writeIptc } from './iptc.ts'
import { listed, PLACE, plain, STRUCTURE, withoutProperties, withProperties } from './xmp.ts'

/** The blocks of a file: a TIFF stream, a packet, and records with or without the resources of Photoshop. */
export interface Blocks {
  exif?: Uint8Array | undefined
  xmp?: Uint8Array | undefined
  iptc?: Uint8Array | undefined
}

/** What a picture is to say. */
export interface Description {
  title?: string | undefined
  author?: string | undefined
  copyright?: string | undefined
  /** `2021-05-03`, with or without `T12:00:00`. */
  date?: string | undefined
}

export interface Metadata {
  keep: 'all' | 'no-place' | 'none'
  description: Description
}

/** Tags of EXIF, records of IPTC and properties of XMP for each field. */
const FIELDS = {
  title: {
    tag: 0x010e,
    numbers: [5, 120],
    properties: ['dc:title', 'dc:description', 'tiff:ImageDescription'],
  },
  author: { tag: 0x013b, numbers: [80], properties: ['dc:creator', 'tiff:Artist'] },
  copyright: { tag: 0x8298, numbers: [116], properties: ['dc:rights', 'tiff:Copyright'] },
  date: {
    tag: 0x9003,
    numbers: [55, 60, 62, 63],
    properties: ['photoshop:DateCreated', 'xmp:CreateDate', 'exif:DateTime(?:Original|Digitized)'],
  },
}
const [DIGITIZED, FRACTIONS] = [0x9004, [0x9290, 0x9291, 0x9292, 0x9010, 0x9011, 0x9012]]

/** Largest packet that is read and changed, in characters; larger ones embed other data. */
const PACKET_LIMIT = 250_000

/** Whether blocks say where the picture was taken. */
export function hasPlace({ exif, xmp, iptc }: Blocks): boolean {
  const packet = xmp && decodeText(xmp)
  return (
    (exif !== undefined && hasPlaceTags(exif)) ||
    (packet !== undefined && withoutProperties(packet, PLACE) !== packet) ||
    (iptc !== undefined && readIptc(iptc).some(({ number }) => IPTC_PLACE.includes(number)))
  )
}

/**
 * What stays of the blocks of a picture, and what they are to say.
 * @param orientation of EXIF, 1–8, that still has to be applied
 */
export function describedBlocks(own: Blocks, { keep, description }: Metadata, orientation = 1): Blocks {
  const set = Object.entries(FIELDS).flatMap(([key, field]) => {
    const value = description[key as keyof Description]
    return value ? [{ ...field, key, value }] : []
  })
  const { exif, xmp, iptc }: Blocks = keep === 'none' ? {} : own
  const isPlaceless = keep === 'no-place'
  const packet = xmp && decodeText(xmp)
  const dropped = [
    ...STRUCTURE,
    ...(isPlaceless ? PLACE : []),
    ...set.flatMap(({ properties }) => properties),
  ]
  const kept = packet && packet.length < PACKET_LIMIT ? withoutProperties(packet, dropped) : undefined
  const elements = set.map(field => elementsOf(field)).join('')
  const text = elements ? withProperties(kept, elements) : kept
  const numbers = [...(isPlaceless ? IPTC_PLACE : []), ...set.flatMap(field => field.numbers)]
  const records = [
    ...(iptc ? readIptc(iptc) : []).filter(({ number }) => !numbers.includes(number)),
    ...set.flatMap(recordsOf),
  ]
  return {
    exif: described(exif && orientedExif(exif, orientation), set, isPlaceless),
    xmp: text === undefined ? undefined : Buffer.from(text),
    iptc: records.length > 0 ? writeIptc(records) : undefined,
  }
}

interface Set {
  key: string
  tag: number
  value: string
}

/** Date and time as two words; midnight if no time is given. */
function momentOf(value: string): [date: string, time: string] {
  const [date = '', time = '00:00'] = value.split(/[T ]/)
  return [date, time.length === 5 ? `${time}:00` : time]
}

function described(exif: Uint8Array | undefined, set: readonly Set[], isPlaceless: boolean) {
  if (set.length === 0 && !(exif && isPlaceless)) return exif
  const ascii = (tag: number, value: string): IfdEntry => {
    const bytes = Buffer.from(`${value}\0`)
    return { tag, type: 2, count: bytes.length, value: bytes }
  }
  const date = set.find(({ key }) => key === 'date')
  const moment = date && momentOf(date.value).join(' ').replaceAll('-', ':')
  return withTags(exif ?? emptyExif(), {
    first: set.filter(({ key }) => key !== 'date').map(({ tag, value }) => ascii(tag, value)),
    exposure: moment ? [FIELDS.date.tag, DIGITIZED].map(tag => ascii(tag, moment)) : [],
    dropped: moment ? FRACTIONS : [],
    isPlaceless,
  })
}

function elementsOf({ key, value }: Set): string {
  if (key === 'title') return listed('dc:title', 'Alt', value) + listed('dc:description', 'Alt', value)
  if (key === 'author') return listed('dc:creator', 'Seq', value)
  if (key === 'copyright') return listed('dc:rights', 'Alt', value)
  const moment = momentOf(value).join('T')
  return ['photoshop:DateCreated', 'xmp:CreateDate', 'exif:DateTimeOriginal']
    .map(name => plain(name, moment))
    .join('')
}

function recordsOf({ key, value, numbers }: Set & { numbers: number[] }) {
  // A time would need the zone, which nobody said.
  const values = key === 'date' ? [value.slice(0, 10).replaceAll('-', '')] : numbers.map(() => value)
  return values.map((text, index) => ({ number: numbers[index]!, value: Buffer.from(text) }))
}
