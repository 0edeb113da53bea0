import { textOf, type XmlElement } from '../../../../engines/common/xml/element.ts'
import { mathsXml } from '../../../../engines/documents/word/maths.ts'
import type { Context } from './context.ts'

/** Writes a formula; one that Word does not support becomes text. */
export function writeFormula(math: XmlElement, { writing, story, look, frame }: Context): void {
  const xml = mathsXml(math)
  if (xml === undefined) {
    const plainText = math.attributes.alttext ?? textOf(math).replace(/\s+/g, ' ').trim()
    if (plainText !== '') writing.lostFormulas += 1
    story.text(plainText, look, frame)
    return
  }
  const formula = `<m:oMath>${xml}</m:oMath>`
  const isDisplayed = math.attributes.display === 'block'
  story.inline(isDisplayed ? `<m:oMathPara>${formula}</m:oMathPara>` : formula, frame)
}
