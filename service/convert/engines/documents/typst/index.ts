export {
  isTagged,
  type Typeset,
  TypesetError,
  type TypstPicture,
  typeset,
  vectorGraphicsOf,
} from './compiler.ts'
export { coverageOf, type FontName, fontList } from './fonts.ts'
export { literal, tamed } from './literal.ts'
export { typstMaths } from './maths.ts'
