import { createRequire } from 'node:module'
import type { EngineReport } from '../report.ts'

export { type Picture, type Typeset, TypesetError, typeset } from './compiler.ts'
export { type Coverage, coverageOf, type FontName, fontList } from './fonts.ts'
export { literal, textContent } from './literal.ts'
export { typstMaths } from './maths.ts'

/** Reports the version of Typst, which is prebuilt for every platform. */
export async function report(): Promise<EngineReport> {
  const { version } = createRequire(import.meta.url)(
    '@myriaddreamin/typst-ts-node-compiler/package.json',
  ) as {
    version: string
  }
  return { name: 'Typst (Markdown to PDF)', version, available: true, hint: null }
}
