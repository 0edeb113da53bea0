/** Puts metadata into finished files. */

import { box, text as latin1, u32 } from '../../common/iso-boxes.ts'
import { add, contentsOf, fileOf } from '../avif/items-write.ts'
import { APP1, APP13, beginsWith, EXIF, PHOTOSHOP, segment, segments, XMP } from '../formats/jpeg.ts'
import { chunk, readChunks, SIGNATURE } from '../formats/png.ts'
import { webpWithBlocks } from '../formats/webp.ts'
import { readItems } from '../heif/items.ts'
import { isJxl, withBoxes } from '../jxl/container.ts'
import { sniffKind } from '../sharp/sniff.ts'
import type { Blocks } from './description.ts'
import { entriesOf, withTags } from './exif.ts'
import { iptcResource } from './iptc.ts'

/** Longest content of a JPEG segment. */
const SEGMENT_BYTES_LIMIT = 0xffff - 2

/** Tags of TIFF. */
const [XMP_TAG, IPTC_TAG] = [700, 33_723]

const XMP_KEYWORD = 'XML:com.adobe.xmp\0'
const OWN_TEXT = /^(?:XML:com\.adobe\.xmp\0|Raw profile type )/

/** Marks the boxes of metadata in JPEG 2000. */
const UUIDS = { exif: '4a706754696666457869662d3e4a5032', xmp: 'be7acfcb97a942e89c71999491e3afac' }

/** The file with these blocks in place of its own; blocks that its format does not hold are left out. */
export function withBlocks(file: Buffer, blocks: Blocks): Buffer {
  const { exif, xmp } = blocks
  switch (sniffKind(file)) {
    case 'jpg':
      return intoJpeg(file, blocks)
    case 'png':
      return intoPng(file, blocks)
    case 'webp':
      return webpWithBlocks(file, blocks)
    case 'avif':
    case 'heic':
      return intoHeif(file, blocks)
    case 'tiff':
      return intoTiff(file, blocks)
    default:
  }
  if (isJxl(file))
    return withBoxes(file, ...(exif ? [box('Exif', u32(0), exif)] : []), ...(xmp ? [box('xml ', xmp)] : []))
  if (file.toString('latin1', 4, 8) === 'jP  ') {
    const uuid = (id: string, data: Uint8Array) => box('uuid', Buffer.from(id, 'hex'), data)
    return Buffer.concat([
      file,
      ...(exif ? [uuid(UUIDS.exif, exif)] : []),
      ...(xmp ? [uuid(UUIDS.xmp, xmp)] : []),
    ])
  }
  return file
}

function intoJpeg(file: Buffer, { exif, xmp, iptc }: Blocks): Buffer {
  const own = [EXIF, XMP, PHOTOSHOP]
  const kept: Uint8Array[] = []
  let rest = 2
  // APP0 to APP15; JFIF must come before the blocks.
  for (const { marker, start, end, data } of segments(file)) {
    if ((marker & 0xf0) !== 0xe0) break
    rest = end
    if (!own.some(name => beginsWith(data, name))) kept.push(file.subarray(start, end))
  }
  const added = [
    { marker: APP1, data: exif && Buffer.concat([latin1(EXIF), exif]) },
    { marker: APP1, data: xmp && Buffer.concat([latin1(XMP), xmp]) },
    { marker: APP13, data: iptc && iptcResource(iptc) },
  ].flatMap(({ marker, data }) => (data && data.length <= SEGMENT_BYTES_LIMIT ? [segment(marker, data)] : []))
  kept.splice(kept[0]?.[1] === 0xe0 ? 1 : 0, 0, ...added)
  return Buffer.concat([file.subarray(0, 2), ...kept, file.subarray(rest)])
}

function intoPng(file: Buffer, { exif, xmp }: Blocks): Buffer {
  const parts: Uint8Array[] = [SIGNATURE]
  for (const { type, data, whole } of readChunks(file)) {
    // Older programs store them as texts of other kinds.
    const isOwn = /^[tzi](?:TXt|EXt)$/.test(type) && OWN_TEXT.test(data.toString('latin1', 0, 25))
    if (type !== 'eXIf' && !isOwn) parts.push(whole)
    if (type !== 'IHDR') continue
    if (exif) parts.push(chunk('eXIf', exif))
    if (xmp) parts.push(chunk('iTXt', latin1(`${XMP_KEYWORD}\0\0\0\0`), xmp))
  }
  return Buffer.concat(parts)
}

/** EXIF and XMP become items that describe the primary picture. */
function intoHeif(file: Buffer, { exif, xmp }: Blocks): Buffer {
  const contents = contentsOf(
    readItems(file),
    ({ type, mime }) => type === 'Exif' || mime === 'application/rdf+xml',
  )
  const described = [['cdsc', contents.entries.slice(0, 1)] as const]
  if (exif) add(contents, 'Exif', Buffer.concat([u32(0), exif]), [], described)
  if (xmp) add(contents, 'mime', xmp, [], described)
  return fileOf(contents)
}

/** EXIF becomes tags of the file itself. */
function intoTiff(file: Buffer, { exif, xmp, iptc }: Blocks): Buffer {
  const changes = exif ? entriesOf(exif, file[0] === 0x49) : {}
  const beside = (tag: number, type: number, value: Uint8Array | undefined) =>
    value ? [{ tag, type, count: value.length, value }] : []
  const first = [...(changes.first ?? []), ...beside(XMP_TAG, 1, xmp), ...beside(IPTC_TAG, 7, iptc)]
  return withTags(file, { ...changes, first, dropped: [XMP_TAG, IPTC_TAG] }) ?? file
}
