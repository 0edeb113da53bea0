/** Text recognition of 20 scanned pages in a worker, beside as many runs of tesseract as there are cores. Linux only. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import { loadLanguages } from '../service/convert/engines/pdf/ocr/data.ts'
import { typeset } from '../testing/samples/typst.ts'
import { isForReport, report } from './harness.ts'
import { startWarmWorker } from './warm-worker.ts'

const PAGES = isForReport ? 8 : 20
const CORES = availableParallelism()
const DPI = 200

const folder = await mkdtemp(join(tmpdir(), 'refile-bench-ocr-'))
const at = (name: string) => join(folder, name)
const page = '#lorem(320)\n#pagebreak(weak: true)\n'
await writeFile(at('text.pdf'), typeset(`#set text(size: 11pt)\n${page.repeat(PAGES)}`))
execFileSync('pdftoppm', ['-r', `${DPI}`, '-gray', '-jpeg', at('text.pdf'), at('page')])
// Pages as a scanner delivers them, without any text.
const scan = await PDFDocument.create()
for (const name of readdirSync(folder)
  .filter(name => name.endsWith('.jpg'))
  .toSorted()) {
  const picture = await scan.embedJpg(await readFile(at(name)))
  const size = picture.scale(72 / DPI)
  scan.addPage([size.width, size.height]).drawImage(picture, size)
}
await writeFile(at('scan.pdf'), await scan.save())
const words = (text: string) => new Set(text.toLowerCase().match(/[a-z]{3,}/g) ?? [])
const truth = execFileSync('pdftotext', [at('text.pdf'), '-'], { encoding: 'utf8' })
/** The share of the words that a text has. */
const recall = (text: string) => {
  const [wanted, found] = [words(truth), words(text)]
  return [...wanted].filter(word => found.has(word)).length / wanted.size
}

const worker = startWarmWorker()
const order = { job: 'document.pdf-to-md', path: at('scan.pdf'), folder, options: { ocr: { enabled: true } } }
const own = await worker.convert(order)
worker.stop()

// Debian's data are the fast ones; Refile's are the accurate ones, which take longer in any program.
await writeFile(at('accurate.traineddata'), (await loadLanguages('eng'))[0]!.data)
const rivals = [
  { name: `tesseract -P ${CORES}`, language: '-l eng' },
  { name: 'the same with the same data', language: '--tessdata-dir . -l accurate' },
]
const what = `${PAGES} scanned pages recognised, wall (${own.wall.toFixed(1)} s)`
const ours = recall(await readFile(own.path, 'utf8'))
for (const { name, language } of rivals) {
  const started = performance.now()
  const command = `ls page-*.jpg | OMP_THREAD_LIMIT=1 xargs -P ${CORES} -I{} tesseract {} {} --dpi ${DPI} ${language}`
  const { status } = spawnSync('bash', ['-c', command], { cwd: folder, stdio: 'ignore' })
  if (status !== 0) continue
  const ratio = own.wall / ((performance.now() - started) / 1000)
  const cause = 'ours is WebAssembly, whose vector instructions are narrower'
  report(`${what} / ${name}`, ratio.toFixed(2), '≤ 1.00', ratio <= 1, cause)
  const judged = recall(execFileSync('bash', ['-c', 'cat page-*.txt'], { cwd: folder, encoding: 'utf8' }))
  report('its share of the words found / that of it', (ours / judged).toFixed(3), '≥ 1', ours >= judged)
}
await rm(folder, { recursive: true })
