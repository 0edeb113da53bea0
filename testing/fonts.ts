/** Fonts for tests, derived by fontTools from existing fonts, and checked by external programs. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { judge, tool } from './fixtures/media.ts'

const script = join(import.meta.dirname, 'fonts.py')
/** Debian's Python, which has Debian's fontTools. */
const python = (...args: string[]): string => tool('/usr/bin/python3', script, ...args)

/** The package of the Bengali font as a registry sends it, packed by another program, with the place of the font that it holds. */
export function packBengali(path: string): { packed: Buffer<ArrayBuffer>; font: string } {
  const face = '400Regular/NotoSansBengali_400Regular.ttf'
  const font = createRequire(import.meta.url).resolve(`@expo-google-fonts/noto-sans-bengali/${face}`)
  tool('tar', '-czf', path, '-C', join(font, '../..'), '--transform=s,^,package/,', '400Regular')
  return { packed: Buffer.from(readFileSync(path)), font }
}

/** The package of English as a registry sends it, packed by another program and under the name of another language. */
export function packLanguage(path: string, id: string): Buffer<ArrayBuffer> {
  const folder = dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json'))
  const content = ['4.0.0_best_int', '4.0.0', 'index.js', 'package.json', 'README.md']
  const names = `--transform=s,eng,${id},;s,^,package/,`
  tool('tar', '-I', 'gzip -1', '-cf', path, '-C', folder, names, ...content)
  return Buffer.from(readFileSync(path))
}

/** Letters including composites, ligatures, kerning and marks. */
export const sampleText = 'AVATo fi ffl Äéñçô &@0189 ßÅØ “q”'

/** Makes `a.ttf`, `a.otf`, `variable.ttf`, `variable.otf`, `attached.ttf`, `blank.ttf`, `unlisted.ttf`, `unnamed.ttf`, `numbered.otf`, `scaled.otf`, web fonts of the first two, `faces.ttc` and `pictures.ttf`. */
export function makeFonts(folder: string): void {
  const dejaVu = resolve(import.meta.dirname, '../resources/fonts/DejaVuSans.ttf')
  const cantarell = '/usr/share/fonts/opentype/cantarell/Cantarell-Regular.otf'
  const inter = '/usr/share/fonts/truetype/inter-vf/Inter-roman.var.ttf'
  python('make', dejaVu, cantarell, inter, sampleText, folder)
}

/** Makes a font with a box for each letter of a block, which claims to put together those of a script, by OpenType's tag of that. */
export const makeScriptFont = (path: string, family: string, tag: string, first: number, last: number) =>
  python('script', path, family, tag, String(first), String(last))

/** How a font differs from its source, as fontTools reads both. */
export interface Comparison {
  lost: string[]
  gained: string[]
  /** Tables whose bytes are the same. */
  same: string[]
  glyphs: [number, number]
  named: boolean
  cmap: boolean
  /** Largest difference between advance widths, in units. */
  widths: number
  /** Largest distance between outlines, as a fraction of the em. */
  distance: number
  /** Largest difference between glyph areas, as a fraction of the em square. */
  area: number
  flavor: string | null
  version: string
}

/** Compares fonts with their sources; the third element is the face of a collection that is the source. */
export const compareFonts = (pairs: readonly (readonly [string, string, number?])[]): Comparison[] =>
  JSON.parse(
    python('compare', JSON.stringify(pairs.map(([source, output, face = 0]) => [source, output, face]))),
  ) as Comparison[]

/** Compares one font with its source. */
export const compareFont = (source: string, output: string): Comparison =>
  compareFonts([[source, output]])[0]!

/** Which tables differ in their bytes. */
export const compareTables = (
  source: string,
  output: string,
): Record<'lost' | 'gained' | 'changed', string[]> =>
  JSON.parse(python('tables', source, output)) as ReturnType<typeof compareTables>

/** Vertical origins of glyphs in a TrueType font, and in a font converted from it. */
export const verticalOrigins = (source: string, output: string): [number, number][] =>
  JSON.parse(python('origins', source, output)) as [number, number][]

/** What the browsers' font sanitiser reports; empty if it accepts the font. */
export function sanitised(path: string): string {
  const { status, text } = judge('ots-sanitize', path)
  return status === 0 ? '' : text
}

/** Unpacks web fonts, with fontTools. */
export const unpackFonts = (pairs: readonly (readonly [string, string])[]): string =>
  python('unpack', JSON.stringify(pairs))

/** Glyphs and positions, by number, with which HarfBuzz sets a text. */
export const shaped = (path: string, ...args: string[]): string =>
  tool('hb-shape', '--no-glyph-names', '--ned', ...args, path, sampleText)

/** Advances of the glyphs of a text, as HarfBuzz sets it. */
export const advances = (path: string, ...args: string[]): string[] =>
  tool('hb-shape', '--no-glyph-names', '--no-clusters', ...args, path, sampleText).match(/\+[-,\d]+/g)!

/** Edges and sizes of the boxes around the glyphs of a text, as HarfBuzz draws them. */
export const extents = (path: string, ...args: string[]): number[] =>
  tool(
    'hb-shape',
    '--no-glyph-names',
    '--no-positions',
    '--no-clusters',
    '--show-extents',
    ...args,
    path,
    sampleText,
  )
    .match(/-?\d+/g)!
    .map(Number)
