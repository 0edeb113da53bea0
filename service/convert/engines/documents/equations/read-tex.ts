import temml from 'temml'
import { XmlError } from '../../common/xml/element.ts'
import { MATHML } from '../../common/xml/namespaces.ts'
import { readTree } from '../../common/xml/tree.ts'
import type { Equation } from './model.ts'
import { readMathml } from './read-mathml.ts'

/** Longest TeX that is treated as a formula. */
const MAX_LENGTH = 20_000
/** Groups within groups. */
const MAX_DEPTH = 60

/** Reads a formula in LaTeX; one that cannot be understood is its own text. */
export function readTex(tex: string, display: boolean): Equation {
  const words: Equation = { kind: 'words', text: tex }
  if (tex.length > MAX_LENGTH || depthOf(tex) > MAX_DEPTH) return words
  try {
    const xml = temml.renderToString(tex, { displayMode: display, throwOnError: true })
    return readMathml(readTree(xml, MATHML).root) ?? words
  } catch (error) {
    if (error instanceof XmlError || error instanceof temml.ParseError) return words
    throw error
  }
}

/** How many levels of brackets a formula in TeX has. */
export function depthOf(latex: string): number {
  let depth = 0
  let deepest = 0
  for (const [bracket] of latex.matchAll(/(?<!\\)[{}()[\]]/g)) {
    if ('{(['.includes(bracket)) deepest = Math.max(deepest, ++depth)
    else depth--
  }
  return deepest
}
