/** Converts PDFs of 18 and of 500 pages to Markdown in a warm process, compared with poppler's pdftotext, which reads no structure. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertFile } from '../testing/samples/convert.ts'
import { typeset } from '../testing/samples/typst.ts'
import { median, report, rounds } from './harness.ts'

/** Conversions until V8 has compiled what is used most, which are not counted. */
const WARM_UP = 8
const ROUNDS = rounds(15)
const GOAL_MS = 120
const LONG = 500
/** For each 100 pages. */
const LONG_GOAL_S = 2

const page = (number: number) => `= Chapter ${number}
  #lorem(260)
  #table(columns: 4, ..range(16).map(n => [cell #n]))
  #lorem(180)
  #pagebreak(weak: true)`

const folder = await mkdtemp(join(tmpdir(), 'refile-bench-pdf-text-'))
const path = join(folder, 'book.pdf')
const book = (pages: number) =>
  typeset(
    `#set page(columns: 2, numbering: "1")\n#set par(justify: true)\n${Array.from({ length: pages }, (_, index) => page(index + 1)).join('\n')}`,
  )
await writeFile(path, book(18))

const timed = async (work: () => unknown) => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

const times: number[] = []
for (let round = 0; round < WARM_UP + ROUNDS; round++) {
  times.push(await timed(() => convertFile('document.pdf-to-md', path)))
}
const first = times[0] ?? Number.NaN
const warm = median(times.slice(WARM_UP))
const poppler = median(
  await Promise.all(Array.from({ length: 3 }, () => timed(() => spawnSync('pdftotext', [path, '-'])))),
)
await writeFile(path, book(LONG))
const long = (await timed(() => convertFile('document.pdf-to-md', path))) / 1000 / (LONG / 100)
await rm(folder, { recursive: true })

report(
  '18 pages to Markdown, warm',
  `${warm.toFixed(0)} ms`,
  `≤ ${GOAL_MS} ms`,
  warm <= GOAL_MS,
  'many small steps of the layout',
)
console.log(`  first ${first.toFixed(0)} ms; pdftotext, text alone and its start ${poppler.toFixed(0)} ms`)
report(`${LONG} pages, each 100`, `${long.toFixed(2)} s`, `≤ ${LONG_GOAL_S} s`, long <= LONG_GOAL_S)
