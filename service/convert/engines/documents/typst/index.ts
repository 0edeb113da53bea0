export { isTagged, type Picture, type Typeset, TypesetError, typeset } from './compiler.ts'
export { coverageOf, type FontName, fontList } from './fonts.ts'
export { literal, tamed, textContent } from './literal.ts'
export { typstMaths } from './maths.ts'
