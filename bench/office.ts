/**
 * The time of Word documents to PDF, of one and of many at once, compared with an installed LibreOffice that is started for them or
 * already runs. Linux only; needs Debian's libreoffice-writer-nogui. Uses the built service: run `npm run build` first.
 */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { docx, pageBreak, paragraph, xlsx } from '../testing/samples/office.ts'
import {
  childrenOf,
  convert,
  median,
  repeat,
  report,
  residentMegabytes,
  rounds,
  startBuiltService,
} from './harness.ts'

const ROUNDS = rounds(9)
const PAGES = 10
const MANY = 24
/** Fewer than the 18 that an account may have open: refusing the others, and the repeated uploads, took a quarter of the processors. */
const AT_ONCE = 12
const ROWS = 100_000
const FIRST_GOAL_MS = 4000

const sentence =
  'The committee met on the second Tuesday of the month and agreed on every point of the plan. '
const page = (number: number) => `${paragraph(`Section ${number}`)}${paragraph(sentence.repeat(6)).repeat(5)}`
const document = docx({
  paragraphs: ['Minutes'],
  body: Array.from({ length: PAGES }, (_, number) => page(number + 1)).join(pageBreak),
})

const folder = await mkdtemp(join(tmpdir(), 'refile-bench-office-'))

/** Milliseconds that an installed LibreOffice takes for this many copies of a file, including its start-up. */
async function native(copies: number, file = document, suffix = 'docx'): Promise<number> {
  const names = Array.from({ length: copies }, (_, copy) => join(folder, `${copies}-${copy}.${suffix}`))
  await Promise.all(names.map(name => writeFile(name, file)))
  const profile = `-env:UserInstallation=file://${folder}/profile`
  const started = performance.now()
  const { status } = spawnSync('soffice', [
    profile,
    '--headless',
    '--convert-to',
    'pdf',
    '--outdir',
    folder,
    ...names,
  ])
  return status === 0 ? performance.now() - started : Number.NaN
}

const timed = async (work: () => Promise<unknown>) => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

const service = await startBuiltService()
const toPdf = () => convert(service, 'minutes.docx', document, 'pdf')
const first = await timed(toPdf)
const times: number[] = []
for (let round = 0; round < ROUNDS; round++) times.push(await timed(toPdf))
const warm = median(times)
const all = await timed(() => repeat(MANY, AT_ONCE, toPdf))
const workbook = xlsx({
  Sales: Array.from({ length: ROWS }, (_, row) => [`Order ${row}`, row * 7, row * 1.19, 'paid', row % 31]),
})
const sheet = await timed(() => convert(service, 'sales.xlsx', workbook, 'pdf'))
const megabytes = Math.max(...childrenOf(service.pid).map(residentMegabytes))
await service.stop()

await native(1)
const cold = median([await native(1), await native(1), await native(1)])
const nativeWarm = ((await native(ROUNDS + 1)) - cold) / ROUNDS
const nativeAll = await native(MANY)
const nativeSheet = await native(1, workbook, 'xlsx')
await rm(folder, { recursive: true })

const ms = (value: number) => `${value.toFixed(0)} ms`
report(
  'the first document of a service that just started',
  ms(first),
  `< ${FIRST_GOAL_MS} ms`,
  first < FIRST_GOAL_MS,
)
const contest = (what: string, own: number, other: string, theirs: number, goal: number, cause: string) => {
  if (!Number.isFinite(theirs)) return
  const subject = `${what} (${ms(own)}) / ${other}`
  report(subject, (own / theirs).toFixed(2), `≤ ${goal}`, own <= goal * theirs, cause)
}
const webAssembly = 'ours is LibreOffice as WebAssembly, slowest while V8 still compiles it'
const one = `docx → pdf of ${PAGES} pages over the API`
contest(one, warm, 'soffice started for it', cold, 1, webAssembly)
contest(one, warm, 'soffice running', nativeWarm, 1.2, webAssembly)
contest(
  `${MANY} docx → pdf over the API`,
  all,
  'one soffice for all',
  nativeAll,
  0.6,
  `a second engine starts meanwhile; ${webAssembly}`,
)
contest(
  `workbook of ${ROWS.toLocaleString('en')} rows → pdf over the API`,
  sheet,
  'soffice started for it',
  nativeSheet,
  1,
  webAssembly,
)
report('memory of the office engine', `${megabytes.toFixed(0)} MB`, '≤ 1200 MB', megabytes <= 1200)
