/** Books for tests, judged by external programs: Python, EPUBCheck, Calibre, libmobi. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { judge, tool } from './fixtures/media.ts'
import { askJava } from './java.ts'

/** An EPUB as Python reads it. */
export interface EpubContent {
  /** Elements of Dublin Core and `meta`, with their attributes; `name` is `title`, `belongs-to-collection`, `cover` … */
  metadata: ({ name: string; value: string } & Record<string, string | undefined>)[]
  direction: string | null
  items: { href: string; type: string; properties: string[] }[]
  /** Paths in the archive. */
  spine: string[]
  /** All words of the spine in order, without scripts, styles and document titles. */
  words: string[]
  /** Links between documents, with up to 60 letters of the text at their target. */
  links: { from: string; to: string; text: string | null }[]
  /** Links to fragments that do not exist. */
  broken: string[]
  /** References to files that do not exist. */
  missing: string[]
  /** The table of contents: depth, title, and up to 60 letters of the text at the target. */
  contents: [depth: number, title: string, text: string | null][]
}

/** Reads books; reading all in one call is quicker than one by one. */
export function readEpubs(...paths: string[]): EpubContent[] {
  return JSON.parse(
    tool('/usr/bin/python3', join(import.meta.dirname, 'books.py'), ...paths),
  ) as EpubContent[]
}

const epubCheck = [
  '-Xss1024k',
  '-cp',
  '/usr/share/java/epubcheck.jar',
  join(import.meta.dirname, 'CheckEpubs.java'),
]

/** Errors in books, by path: `ERROR RSC-005 text/one.xhtml:12 …`. */
export async function checkEpubs(...paths: string[]): Promise<Map<string, string[]>> {
  const reports = await askJava({ program: epubCheck, lines: paths })
  return new Map(paths.map((path, index) => [path, reports[index]!]))
}

/** The errors alone, without locations: a conversion may keep them but not add any. */
export const errorsOf = (report: readonly string[] | undefined): string[] =>
  (report ?? [])
    .filter(line => !line.startsWith('WARNING'))
    .map(line => line.replace(/^(\w+ \S+) \S+ /, '$1 '))

/** Errors of an output that its input does not have, with the number of additional occurrences. */
export function newErrors(
  input: readonly string[] | undefined,
  output: readonly string[] | undefined,
): string[] {
  const left = errorsOf(input)
  return errorsOf(output).filter(error => {
    const known = left.indexOf(error)
    if (known >= 0) left.splice(known, 1)
    return known < 0
  })
}

/** The text of a book of any format, as read by Calibre. Takes seconds. */
export function calibreText(path: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'refile-calibre-'))
  try {
    tool('ebook-convert', path, join(folder, 'book.txt'))
    return readFileSync(join(folder, 'book.txt'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The metadata of a book of any format, as read by Calibre: `Title`, `Author(s)`, `Languages`, `Series` … */
export function calibreMetadata(path: string): Record<string, string> {
  const lines = tool('ebook-meta', path).split('\n')
  return Object.fromEntries(
    lines.flatMap(line => {
      const [, name, value] = /^([^:]+?)\s*:\s(.*)$/.exec(line) ?? []
      return name ? [[name, value ?? '']] : []
    }),
  )
}

/** What libmobi reports about a MOBI or AZW3 file, and whether it can read it. */
export const mobitool = (...args: string[]): { status: number | null; text: string } =>
  judge('mobitool', ...args)
