/**
 * The cost of Markdown to PDF in a warm worker, compared with LibreOffice started for each file, and the time for a change log
 * of 1.3 MB. Needs Debian's pandoc and libreoffice-writer-nogui: pandoc writes the document that LibreOffice sets.
 */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, report, rounds } from './harness.ts'
import { startWarmWorker } from './warm-worker.ts'

const ROUNDS = rounds(9)
const GOAL_MS = 150
const LARGE_GOAL_MS = 15_000

const sentence =
  'The committee met on the second Tuesday of the month and agreed on *every* point of the **plan**. '
/** Each document differs, since earlier results are cached. */
const section = (number: number, salt: number) => `
## Section ${number} of document ${salt}

${salt} ${sentence.repeat(8)}

- one \`two\`
- [three](https://example.com/${number})

| a | b |
|---|--:|
| ${number} | ${salt} |

\`\`\`js
const answer = ${number * salt} // the answer
\`\`\`

Inline $x^{${number}}$ and ${salt} more: ${sentence.repeat(7)}
`
const sections = (salt: number) =>
  Array.from({ length: 19 }, (_, number) => section(number + 1, salt)).join('')
const change = (number: number) =>
  `* **core:** fix \`part${number}\` when *x* is **y** ([#${number}](https://example.com/issues/${number}))\n`
const changes = Array.from(
  { length: 15_000 },
  (_, number) => (number % 12 ? '' : `\n## 1.${number}.0\n\n`) + change(number),
)

const folder = await mkdtemp(join(tmpdir(), 'refile-bench-markdown-'))
const ten = join(folder, 'ten.md')
const large = join(folder, 'large.md')
await writeFile(large, changes.join(''))

const worker = startWarmWorker()
const order = (path: string) => ({ job: 'document.md-to-pdf', path, folder })
const convertTen = async (salt: number) => {
  await writeFile(ten, `# Minutes\n${sections(salt)}`)
  return worker.convert(order(ten))
}
const first = await convertTen(1)
const pages = Number(
  /Pages: +(\d+)/.exec(spawnSync('pdfinfo', [first.path], { encoding: 'utf8' }).stdout)?.[1],
)
const times: number[] = []
for (let round = 0; round < ROUNDS; round++) times.push((await convertTen(round + 2)).wall * 1000)
const warm = median(times)
const huge = await worker.convert(order(large))
worker.stop()

const timed = (program: string, args: string[]) => {
  const started = performance.now()
  const { status } = spawnSync(program, args)
  return status === 0 ? performance.now() - started : Number.NaN
}
const word = join(folder, 'ten.docx')
const pandoc = timed('pandoc', [ten, '-o', word])
const office = () =>
  timed('soffice', [
    `-env:UserInstallation=file://${folder}/profile`,
    '--headless',
    '--convert-to',
    'pdf',
    '--outdir',
    folder,
    word,
  ])
office()
const others = pandoc + median([office(), office(), office()])
const megabytes = (await stat(large)).size / 1e6
await rm(folder, { recursive: true })

const ms = (value: number) => `${value.toFixed(0)} ms`
report(`md to pdf, first of a process, ${pages} pages`, ms(first.wall * 1000), '', true)
report(`md to pdf, ${pages} pages, warm`, ms(warm), `< ${GOAL_MS} ms`, warm < GOAL_MS)
if (Number.isFinite(others)) {
  report(
    `beside pandoc and soffice (${ms(others)})`,
    `${(warm / others).toFixed(2)} ×`,
    '≤ 0.2 ×',
    warm <= 0.2 * others,
  )
}
report(
  `md to pdf, ${megabytes.toFixed(1)} MB`,
  `${ms(huge.cpu * 1000)} of processors`,
  `< ${LARGE_GOAL_MS} ms`,
  huge.cpu * 1000 < LARGE_GOAL_MS,
)
report('memory of it', `${huge.peak.toFixed(0)} MB`, '< 2500 MB', huge.peak < 2500)
