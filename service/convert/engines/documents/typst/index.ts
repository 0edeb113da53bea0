export { drawingsOf, isTagged, type Typeset, TypesetError, type TypstPicture, typeset } from './compiler.ts'
export { coverageOf, type FontName, fontList } from './fonts.ts'
export { literal, tamed, textContent } from './literal.ts'
export { typstMaths } from './maths.ts'
