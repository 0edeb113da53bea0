/** PDF files typeset by tests. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'

const require = createRequire(import.meta.url)
const fonts = join(import.meta.dirname, '../../resources/fonts')
const chinese = dirname(require.resolve('@expo-google-fonts/noto-sans-sc/package.json'))

let compiler: NodeCompiler | undefined

/** A PDF of Typst markup, with Libertinus, DejaVu Sans, Arimo and Noto Sans SC as its fonts. */
export function typeset(source: string): Uint8Array {
  compiler ??= NodeCompiler.create({ fontArgs: [{ fontPaths: [fonts, join(chinese, '400Regular')] }] })
  const pdf = compiler.pdf({ mainFileContent: source })
  compiler.evictCache(0)
  return pdf
}

/** The same file without its tags: the catalogue's entry for them is renamed to something unknown. */
export const untagged = (pdf: Uint8Array): Uint8Array =>
  Buffer.from(Buffer.from(pdf).toString('latin1').replaceAll('/StructTreeRoot', '/StructTreeGone'), 'latin1')
