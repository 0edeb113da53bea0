/** Reads the source, description and size of the picture in a DrawingML object. */
import { pixels } from '../../../common/css/length.ts'
import { readDeclarations } from '../../../common/css/sheet.ts'
import { findIn, type XmlElement } from '../../../common/xml/element.ts'
import type { PictureUse } from '../../model.ts'
import type { Relationships } from './package.ts'

export const EMU_PER_POINT = 12_700
const POINTS_PER_PIXEL = 0.75

/**
 * @param node `a:blip` or `v:imagedata`
 * @param drawing the element that contains it
 */
export function pictureOf(
  node: XmlElement,
  drawing: XmlElement,
  relationships: Relationships,
): PictureUse | undefined {
  const source = sourceOf(node, relationships)
  if (!source) return undefined
  const properties = findIn(drawing, 'wp:docPr')?.attributes
  const description = properties?.descr || properties?.title || node.attributes['o:title'] || ''
  return {
    source,
    description: description.replace(/\s+/g, ' ').trim(),
    ...sizeOf(drawing),
  }
}

/** Where the picture of `a:blip` or `v:imagedata` is. */
export function sourceOf(node: XmlElement, links: Relationships): PictureUse['source'] | undefined {
  const { attributes } = node
  // A picture with a bitmap and an SVG refers to the bitmap here; a picture with only an SVG refers to it in an extension.
  const svg = () => findIn(node, 'asvg:svgBlip')?.attributes['r:embed']
  const id = attributes['r:embed'] || (attributes['r:id'] ?? attributes['r:link'] ?? svg() ?? '')
  const target = links.get(id)
  return target && (target.isExternal ? { address: target.target } : { file: target.target })
}

function sizeOf(drawing: XmlElement): { width: number; height: number } {
  const extent = findIn(drawing, 'wp:extent')?.attributes
  // VML has lengths of CSS, https://www.w3.org/TR/NOTE-VML.
  const style = readDeclarations(findIn(drawing, 'v:shape')?.attributes.style ?? '')
  const points = (wanted: 'width' | 'height', emu: string | undefined) => {
    const declared = style.find(({ name }) => name === wanted)?.value ?? ''
    const own = pixels(declared, { whole: Number.NaN, fontSize: Number.NaN }) * POINTS_PER_PIXEL
    const length = emu === undefined ? own : Number(emu) / EMU_PER_POINT
    return Number.isFinite(length) && length > 0 ? length : 0
  }
  return { width: points('width', extent?.cx), height: points('height', extent?.cy) }
}
