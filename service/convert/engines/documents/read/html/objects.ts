/** Pictures, vector graphics and formulas of a page. */
import { writeElement } from '../../../books/book/markup/write.ts'
import { findIn, textOf, type XmlElement } from '../../../common/xml/element.ts'
import { readMathml, texIn } from '../../equations/read-mathml.ts'
import { readTex } from '../../equations/read-tex.ts'
import { type Inline, type Marks, type PictureUse, run } from '../../model.ts'

export interface PictureSources {
  /** Resolves the address of a picture; undefined if it is not available. */
  picture(address: string): PictureUse['source'] | undefined
  /** Keeps an SVG element of the page as a file. */
  vectorGraphic?(svg: string): PictureUse['source']
}

const use = (
  source: PictureUse['source'] | undefined,
  description: string,
  { width, height }: Record<string, string> = {},
): Inline[] =>
  source
    ? [
        {
          kind: 'picture',
          picture: {
            source,
            description: description.replace(/\s+/g, ' ').trim(),
            width: points(width),
            height: points(height),
          },
        },
      ]
    : []

/** A length in pixels, in points; 0 for others. */
const points = (length = '') => (/^\d{1,4}(?:px)?$/.test(length) ? Number.parseInt(length, 10) * 0.75 : 0)

/** SVG shows pictures with an element of its own. */
export const pictureOf = ({ attributes }: XmlElement, sources: PictureSources): Inline[] =>
  use(
    sources.picture(attributes.src ?? attributes['xlink:href'] ?? attributes.href ?? ''),
    attributes.alt || attributes.title || '',
    attributes,
  )

const SHAPES = ['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text']

export function vectorGraphicOf(svg: XmlElement, sources: PictureSources): Inline[] {
  const picture = findIn(svg, 'image')
  if (picture) return pictureOf(picture, sources)
  // Icons, which say nothing to those who only read, and graphics that refer to others.
  const isIcon = svg.attributes['aria-hidden'] === 'true' || isSmall(svg.attributes) || findIn(svg, 'use')
  if (isIcon || !SHAPES.some(shape => findIn(svg, shape))) return []
  const description = svg.attributes['aria-label'] ?? textOf(findIn(svg, 'title'))
  return use(sources.vectorGraphic?.(writeElement(svg)), description)
}

/** Largest width or height of an icon, in pixels. */
const ICON = 64

function isSmall({ width, height, viewBox = '' }: Record<string, string>): boolean {
  const [, , boxWidth, boxHeight] = viewBox.split(/[\s,]+/)
  return [width ?? boxWidth, height ?? boxHeight].some(
    length => /^[\d.]+(?:px)?$/.test(length ?? '') && Number.parseFloat(length!) <= ICON,
  )
}

export function mathmlIn(math: XmlElement, marks: Marks): Inline {
  const formula = readMathml(math)
  const tex = texIn(math)
  const display = math.attributes.display === 'block'
  if (formula) return { kind: 'equation', formula, ...(tex && { tex }), display }
  return run((math.attributes.alttext ?? textOf(math)).replace(/\s+/g, ' ').trim(), marks)
}

/** A formula in TeX, as pandoc marks it, and MathJax in scripts. */
export function texFormula(element: XmlElement): Inline | undefined {
  const { class: names = '', type = '' } = element.attributes
  const isScript = element.name === 'script' && /^math\/tex\b/.test(type)
  if (!isScript && !(element.name === 'span' && /^math (?:inline|display)$/.test(names))) return undefined
  const written = textOf(element).trim()
  const tex = /^\\[([](.*)\\[)\]]$/s.exec(written)?.[1]?.trim() ?? written
  const display = /\bdisplay\b/.test(isScript ? type : names)
  return { kind: 'equation', formula: readTex(tex, display), tex, display }
}
