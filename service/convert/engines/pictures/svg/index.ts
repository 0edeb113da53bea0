export { readDrawing } from './prepare.ts'
export { renderDrawing } from './render.ts'
