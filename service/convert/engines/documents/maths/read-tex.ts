import temml from 'temml'
import { XmlError } from '../../common/xml/element.ts'
import { MATHML } from '../../common/xml/namespaces.ts'
import { readTree } from '../../common/xml/tree.ts'
import type { Maths } from './model.ts'
import { readMathml } from './read-mathml.ts'

/** Longest TeX that is treated as a formula. */
const MAX_LENGTH = 20_000

/** Reads a formula in LaTeX; one that cannot be understood is its own text. */
export function readTex(tex: string, display: boolean): Maths {
  const words: Maths = { kind: 'words', text: tex }
  if (tex.length > MAX_LENGTH) return words
  try {
    const xml = temml.renderToString(tex, { displayMode: display, throwOnError: true })
    return readMathml(readTree(xml, MATHML).root) ?? words
  } catch (error) {
    if (error instanceof XmlError || error instanceof temml.ParseError) return words
    throw error
  }
}
