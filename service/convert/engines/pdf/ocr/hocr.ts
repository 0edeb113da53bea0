/** Reads hOCR, as which Tesseract writes what it has read; http://kba.github.io/hocr-spec/1.2/ */
import { elementsOf, textOf, type XmlElement } from '../../common/xml/element.ts'
import { readTree } from '../../common/xml/tree.ts'
import type { ReadLine } from './model.ts'

/** The lines of a page. @throws Error if it is no XML */
export function linesOf(hocr: string): ReadLine[] {
  const lines: ReadLine[] = []
  const visit = (element: XmlElement) => {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = valuesOf(element, 'bbox')
    const box = { x: x0, y: y0, width: x1 - x0, height: y1 - y0 }
    const line = lines.at(-1)
    const [height] = valuesOf(element, 'x_size')
    if (height !== undefined) {
      // Lines that run up or down have none, or a steep one.
      const [slope, offset = 0] = valuesOf(element, 'baseline')
      const level = slope !== undefined && Math.abs(slope) < 1
      const baseline = level ? y1 + offset + (slope * box.width) / 2 : (y0 + y1) / 2
      lines.push({ words: [], baseline, height, level })
    } else if (element.attributes.class === 'ocrx_word' && line) {
      const word = { ...box, text: textOf(element), confidence: (valuesOf(element, 'x_wconf')[0] ?? 0) / 100 }
      if (!RULES.test(word.text)) line.words.push(word)
      return
    }
    elementsOf(element).forEach(visit)
  }
  visit(readTree(hocr).root)
  return lines
}

/** Vertical rules of tables are read as letters. */
const RULES = /^\|*$/

/** The numbers of a property in an element's title, such as `bbox 1 2 3 4; x_wconf 91`. */
function valuesOf({ attributes: { title = '' } }: XmlElement, property: string): number[] {
  const values = title.split(';').find(one => one.trim().startsWith(`${property} `))
  return values?.trim().split(' ').slice(1).map(Number) ?? []
}
