import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'

/** A picture that a document refers to by its path, such as `/1.png`. */
export interface TypstPicture {
  path: string
  bytes: Buffer
}

export interface Typeset {
  /** Typst source of the document. */
  source: string
  /** Fonts that it may use in addition to Typst's own. */
  fonts: readonly FontFile[]
  pictures?: readonly TypstPicture[]
  /** A standard to conform to, such as `a-2b`. */
  standard?: string | undefined
}

/** Typst rejected the document; contains its error message. */
export class TypesetError extends Error {}

/** A folder that does not exist, so that a document can read only what it is given. */
const WORKSPACE = join(tmpdir(), 'refile-typst-no-such-folder')

/** Longest source whose PDF is tagged. In longer documents, the tags take more memory and space than everything else. */
const MAX_TAGGED = 1_000_000

/** Whether the PDF of a source has tags. */
export const isTagged = (source: string): boolean => source.length <= MAX_TAGGED

/** The path of a font, or the font itself. */
export type FontFile = string | Buffer

let warm: { compiler: NodeCompiler; fonts: Set<FontFile> } | undefined

/** A compiler with at least these fonts. It is kept for the next document, so that fonts are not loaded again. */
function compilerWith(fonts: readonly FontFile[]): NodeCompiler {
  if (!warm || fonts.some(font => !warm?.fonts.has(font))) {
    const all = new Set([...(warm?.fonts ?? []), ...fonts])
    const fontPaths = [...all].filter(font => typeof font === 'string')
    const fontBlobs = [...all].filter(font => typeof font !== 'string')
    warm = {
      compiler: NodeCompiler.create({ workspace: WORKSPACE, fontArgs: [{ fontBlobs }, { fontPaths }] }),
      fonts: all,
    }
  }
  return warm.compiler
}

/**
 * Typesets a document as PDF.
 * @throws TypesetError
 */
export function typeset({ source, fonts, pictures = [], standard }: Typeset): Buffer {
  const compiler = compilerWith(fonts)
  for (const { path, bytes } of pictures) compiler.mapShadow(join(WORKSPACE, path), bytes)
  try {
    const pdfTags = isTagged(source)
    return compiler.pdf(
      { mainFileContent: source },
      standard ? { pdfStandard: standard, pdfTags } : { pdfTags },
    )
  } catch (error) {
    // The compiler reports its errors in `code`, the PDF writer in `message`.
    const { message, code } = error as NodeJS.ErrnoException
    throw new TypesetError(message || String(code))
  } finally {
    compiler.resetShadow()
    compiler.evictCache(5)
  }
}

/**
 * Pages of a PDF as SVG, as Typst embeds them: each with its place in the list, and undefined if it cannot be read.
 * @param pages numbers from 0
 */
export function* vectorGraphicsOf(
  pdf: Buffer,
  pages: readonly number[],
): Generator<[number, Buffer | undefined]> {
  const compiler = compilerWith([])
  compiler.mapShadow(join(WORKSPACE, 'source.pdf'), pdf)
  try {
    for (const [position, page] of pages.entries()) yield [position, vectorGraphicOf(compiler, page)]
  } finally {
    compiler.resetShadow()
    compiler.evictCache(0)
  }
}

function vectorGraphicOf(compiler: NodeCompiler, page: number): Buffer | undefined {
  try {
    const around = compiler.plainSvg({ mainFileContent: `#image("/source.pdf", page: ${page + 1})` })
    const [, data] = /xlink:href="data:image\/svg\+xml;base64,([^"]*)"/.exec(around) ?? []
    return data === undefined ? undefined : Buffer.from(data, 'base64')
  } catch {
    return undefined
  }
}
