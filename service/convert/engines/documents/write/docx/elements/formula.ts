import { textOf, type XmlElement } from '../../../../common/xml/element.ts'
import { readMathml } from '../../../maths/read-mathml.ts'
import { ommlOf } from '../../../maths/write-omml.ts'
import type { DocxContext } from './context.ts'

/** Writes a formula; one that Word does not support becomes text. */
export function writeFormula(math: XmlElement, { writing, story, look, frame }: DocxContext): void {
  const equation = readMathml(math)
  if (!equation) {
    const plainText = math.attributes.alttext ?? textOf(math).replace(/\s+/g, ' ').trim()
    if (plainText !== '') writing.lostFormulas += 1
    story.text(plainText, look, frame)
    return
  }
  const formula = `<m:oMath>${ommlOf(equation)}</m:oMath>`
  const isDisplayed = math.attributes.display === 'block'
  story.inline(isDisplayed ? `<m:oMathPara>${formula}</m:oMathPara>` : formula, frame)
}
