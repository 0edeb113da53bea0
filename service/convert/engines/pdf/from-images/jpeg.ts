import { isFrame, type JpegSegment, segments } from '../../pictures/formats/jpeg.ts'
import type { PdfImage } from './image.ts'

/**
 * A JPEG file as a PDF image with its coded data copied. Undefined if PDF does not support it: more than 8 bits,
 * lossless or arithmetic coding. The file must be known to decode.
 * @param strip removes everything that is neither picture nor colour: EXIF, XMP, IPTC, comments, additional pictures
 */
export function jpegImage(file: Buffer, strip: boolean): PdfImage | undefined {
  const parts: Buffer[] = [Buffer.from([0xff, 0xd8])]
  const profile: Buffer[] = []
  let frame: JpegSegment | undefined
  let adobe = false
  for (const segment of segments(file)) {
    const { marker, data, start, end } = segment
    if (isFrame(marker)) frame = segment
    if (marker === 0xee && data.toString('latin1', 0, 5) === 'Adobe') adobe = true
    const icc = marker === 0xe2 && data.toString('latin1', 0, 12) === 'ICC_PROFILE\0'
    // Profile pieces are numbered from 1.
    if (icc && data.length > 14) profile[data[12] ?? 0] = data.subarray(14)
    const kept = isPicture(marker) || (marker === 0xe0 && data.toString('latin1', 0, 4) === 'JFIF') || icc
    if (kept || (marker === 0xee && adobe)) parts.push(file.subarray(start, end))
  }
  const data = frame?.data
  // Baseline, extended and progressive Huffman coding, 8 bits.
  if (!frame || !data || data.length < 6 || frame.marker > 0xc2 || data[0] !== 8) return undefined
  const components = data[5] ?? 0
  const model = ({ 1: 'grey', 3: 'rgb', 4: 'cmyk' } as const)[components]
  if (!model) return undefined
  parts.push(Buffer.from([0xff, 0xd9]))
  const icc = Buffer.concat(profile.filter(Boolean))
  const named = [0, 1, 2].map(i => String.fromCharCode(data[6 + i * 3] ?? 0)).join('')
  return {
    width: data.readUInt16BE(3),
    height: data.readUInt16BE(1),
    bits: 8,
    colours: { model },
    filter: 'DCTDecode',
    data: strip ? parts : [file],
    ...(icc.length > 0 ? { icc } : {}),
    // Adobe's programs store inverted inks, and so does everybody else, with or without their marker.
    ...(model === 'cmyk' ? { inverted: true } : {}),
    // Decoders recognise RGB samples, rather than YCbCr, by the component names; PDF readers need a declaration.
    ...(named === 'RGB' && !adobe ? { parameters: '/ColorTransform 0' } : {}),
  }
}

/** Tables, frames, scans: everything needed for decoding. */
const isPicture = (marker: number) => (marker >= 0xc0 && marker <= 0xcf) || (marker >= 0xda && marker <= 0xdd)
