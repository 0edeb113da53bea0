import { iccOfPng } from '../../pictures/formats/icc.ts'
import { readChunks } from '../../pictures/formats/png.ts'
import type { PdfColours, PdfImage } from './image.ts'

/**
 * A PNG file as a PDF image with its compressed samples copied: both use zlib with PNG's filters. Undefined if PDF does
 * not support it: interlaced, or with transparency other than one colour. The file must be known to decode.
 */
export function pngImage(file: Buffer): PdfImage | undefined {
  let header: Buffer | undefined
  let palette: Buffer | undefined
  let transparency: Buffer | undefined
  let icc: Uint8Array | undefined
  const data: Buffer[] = []
  for (const chunk of readChunks(file)) {
    if (chunk.type === 'IHDR') header = chunk.data
    else if (chunk.type === 'PLTE') palette = chunk.data
    else if (chunk.type === 'tRNS') transparency = chunk.data
    else if (chunk.type === 'iCCP') icc = iccOfPng(chunk.data)
    else if (chunk.type === 'IDAT') data.push(chunk.data)
  }
  if (!header || header.length < 13 || data.length === 0) return undefined
  const bits = header[8] as PdfImage['bits']
  const type = header[9]
  const interlaced = header[12] !== 0
  const colours = coloursOf(type, palette)
  if (interlaced || !colours || (transparency && colours.model === 'palette')) return undefined
  const width = header.readUInt32BE(0)
  const components = colours.model === 'rgb' ? 3 : 1
  return {
    width,
    height: header.readUInt32BE(4),
    bits,
    colours,
    filter: 'FlateDecode',
    parameters: `/Predictor 15 /Colors ${components} /BitsPerComponent ${bits} /Columns ${width}`,
    data,
    ...(icc && colours.model !== 'palette' ? { icc } : {}),
    ...(transparency ? { colourKey: colourKeyOf(transparency, components) } : {}),
  }
}

function coloursOf(type: number | undefined, palette: Buffer | undefined): PdfColours | undefined {
  if (type === 0) return { model: 'grey' }
  if (type === 2) return { model: 'rgb' }
  if (type === 3 && palette && palette.length >= 3) return { model: 'palette', palette }
  return undefined
}

/** One transparent colour: 16 bits for each component. */
function colourKeyOf(transparency: Buffer, components: number): number[] {
  const key: number[] = []
  for (let i = 0; i < components && i * 2 + 2 <= transparency.length; i++) {
    const value = transparency.readUInt16BE(i * 2)
    key.push(value, value)
  }
  return key
}
