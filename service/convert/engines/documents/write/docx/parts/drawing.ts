import { escapeXml } from '../../../../common/xml/characters.ts'

/** English Metric Units per CSS pixel. */
const PIXEL_EMU = 9525

export interface PositionedPicture {
  /** Number in the document, from 1. */
  id: number
  /** Ids of the relationships to the picture and its SVG. */
  relationship: string
  svgRelationship?: string | undefined
  /** CSS pixels. */
  width: number
  height: number
  alternative: string
}

/** A run with an inline picture: ECMA-376, part 1, 20.4.2.8. */
export function drawingXml({
  id,
  relationship,
  svgRelationship,
  width,
  height,
  alternative,
}: PositionedPicture): string {
  const [cx, cy] = [width, height].map(pixels => Math.max(1, Math.round(pixels * PIXEL_EMU)))
  const description = alternative ? ` descr="${escapeXml(alternative)}"` : ''
  // The SVG is in an extension that Word 2016 and later read; other programs show the bitmap.
  const svg = svgRelationship
    ? `<a:extLst><a:ext uri="{96DAC541-7B7A-43D3-8B79-37D633B846F1}"><asvg:svgBlip xmlns:asvg="http://schemas.microsoft.com/office/drawing/2016/SVG/main" r:embed="${svgRelationship}"/></a:ext></a:extLst>`
    : ''
  return `<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="${cx}" cy="${cy}"/><wp:docPr id="${id}" name="Picture ${id}"${description}/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="${id}" name="Picture ${id}"${description}/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="${relationship}">${svg}</a:blip><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`
}
