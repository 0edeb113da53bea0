import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'

/** A picture that a document shows by its path, such as `/1.png`. */
export interface Picture {
  path: string
  bytes: Buffer
}

export interface Typeset {
  /** Code of the document. */
  source: string
  /** Paths of font files it may use beside Typst's own. */
  fonts: readonly string[]
  pictures?: readonly Picture[]
  /** A standard to conform to, such as `a-2b`. */
  standard?: string | undefined
}

/** A document that Typst refuses, with what it says. */
export class TypesetError extends Error {}

/** There is no such folder: a document can read what it is given and nothing else. */
const WORKSPACE = join(tmpdir(), 'refile-typst-no-such-folder')

/** Tags of longer documents take more memory and room than all the rest. */
const MAX_TAGGED = 1_000_000

let warm: { compiler: NodeCompiler; fonts: Set<string> } | undefined

/** A compiler with at least these fonts, kept for the next document, which finds the fonts read. */
function compilerWith(fonts: readonly string[]): NodeCompiler {
  if (!warm || fonts.some(path => !warm?.fonts.has(path))) {
    const all = new Set([...(warm?.fonts ?? []), ...fonts])
    warm = {
      compiler: NodeCompiler.create({ workspace: WORKSPACE, fontArgs: [{ fontPaths: [...all] }] }),
      fonts: all,
    }
  }
  return warm.compiler
}

/**
 * Sets a document as PDF.
 * @throws TypesetError
 */
export function typeset({ source, fonts, pictures = [], standard }: Typeset): Buffer {
  const compiler = compilerWith(fonts)
  for (const { path, bytes } of pictures) compiler.mapShadow(join(WORKSPACE, path), bytes)
  try {
    const pdfTags = source.length <= MAX_TAGGED
    return compiler.pdf(
      { mainFileContent: source },
      standard ? { pdfStandard: standard, pdfTags } : { pdfTags },
    )
  } catch (error) {
    // What the compiler says of an error is in its code; what the writer of PDF says, in its message.
    const { message, code } = error as NodeJS.ErrnoException
    throw new TypesetError(message || String(code))
  } finally {
    compiler.resetShadow()
    compiler.evictCache(5)
  }
}
