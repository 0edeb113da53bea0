/** Reads the source, description and size of the picture in a drawing. */
import { findIn, type XmlElement } from '../formats/xml.ts'
import type { PictureUse } from './model.ts'
import type { Relationship } from './package.ts'

const EMU_PER_POINT = 12_700
/** Points per unit of VML lengths: https://www.w3.org/TR/NOTE-VML, CSS 2. */
const UNITS: Record<string, number> = {
  '': 0.75,
  px: 0.75,
  pt: 1,
  pc: 12,
  in: 72,
  cm: 72 / 2.54,
  mm: 72 / 25.4,
}

/**
 * @param node `a:blip` or `v:imagedata`
 * @param drawing the element that contains it
 */
export function pictureOf(
  node: XmlElement,
  drawing: XmlElement,
  relationships: ReadonlyMap<string, Relationship>,
): PictureUse | undefined {
  const { attributes } = node
  // A picture with a bitmap and an SVG refers to the bitmap here; a picture with only an SVG refers to it in an extension.
  const svg = () => findIn(node, 'asvg:svgBlip')?.attributes['r:embed']
  const id = attributes['r:embed'] || (attributes['r:id'] ?? attributes['r:link'] ?? svg() ?? '')
  const target = relationships.get(id)
  if (!target) return undefined
  const properties = findIn(drawing, 'wp:docPr')?.attributes
  const description = properties?.descr || properties?.title || attributes['o:title'] || ''
  return {
    source: target.isExternal ? { address: target.target } : { file: target.target },
    description: description.replace(/\s+/g, ' ').trim(),
    ...sizeOf(drawing),
  }
}

function sizeOf(drawing: XmlElement): { width: number; height: number } {
  const extent = findIn(drawing, 'wp:extent')?.attributes
  const style = findIn(drawing, 'v:shape')?.attributes.style ?? ''
  const points = (name: 'width' | 'height', emu: string | undefined) => {
    const [, number = '0', unit = ''] =
      new RegExp(`(?:^|;)\\s*${name}:\\s*([\\d.]+)\\s*([a-z]*)`).exec(style) ?? []
    const length = emu === undefined ? Number(number) * (UNITS[unit] ?? 0) : Number(emu) / EMU_PER_POINT
    return Number.isFinite(length) && length > 0 ? length : 0
  }
  return { width: points('width', extent?.cx), height: points('height', extent?.cy) }
}
