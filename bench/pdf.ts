/** The cost of rendering PDF pages as pictures, compared with poppler. Linux only. */
import { spawnSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import PdfKit from 'pdfkit'
import { resource } from '../service/convert/engines/common/resources.ts'
import { best, median, report, rounds } from './harness.ts'
import { photograph } from './pictures.ts'
import { startWarmWorker } from './warm-worker.ts'

const ROUNDS = rounds(5)
const PAGES = 20
const DPI = 150

const folder = await mkdtemp(join(tmpdir(), 'refile-bench-pdf-'))
const at = (name: string) => join(folder, name)

/** A report of text in columns, with a drawing on each page and a photograph on every fifth page. */
async function makeReport(path: string): Promise<void> {
  const document = new PdfKit({ autoFirstPage: false })
  const file = createWriteStream(path)
  document.pipe(file)
  const picture = await photograph(1200, 800)
  const sentence = 'The quick brown fox jumps over the lazy dog while seventeen farmers count their sheep. '
  for (let page = 0; page < PAGES; page++) {
    document.addPage()
    document
      .font(resource('fonts', 'Tinos-Bold.ttf'))
      .fontSize(20)
      .text(`Chapter ${page + 1}`)
    document.font(resource('fonts', 'Tinos-Regular.ttf')).fontSize(10)
    document.text(sentence.repeat(28), { columns: 2, height: 330 })
    for (let bar = 0; bar < 12; bar++) {
      document.rect(90 + bar * 36, 650 - ((bar * 37 + page * 13) % 140), 24, (bar * 37 + page * 13) % 140)
      document.fillAndStroke(bar % 2 ? '#1c6e8c' : '#d1495b', '#222222')
    }
    document.fillColor('black')
    if (page % 5 === 0) document.image(picture, 72, 420, { width: 200 })
  }
  document.end()
  await finished(file)
}

const run = (command: string) =>
  spawnSync('sh', ['-c', command], { cwd: folder, stdio: 'ignore' }).status === 0

/** Alternates the two converters, so that other load on the machine affects both, and compares by the median ratio. */
async function contest(job: string, command: string, goal: number): Promise<void> {
  const subject = `${job.replace('document.', '').replace('-to-', ' → ')}, ${PAGES} pages`
  const worker = startWarmWorker()
  try {
    const order = { job, path: at('report.pdf'), folder: await mkdtemp(at('out-')), options: { dpi: DPI } }
    await worker.convert(order)
    const [ratios, times]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      let ran = true
      const theirs = await best(1, async () => {
        ran = run(command)
      })
      if (!ran) return console.log(`   --   ${subject}: ${command.split(' ')[0]} is not installed or fails`)
      const { wall } = await worker.convert(order)
      times.push(wall)
      ratios.push((wall * 1000) / theirs)
    }
    const each = `${((median(times) * 1000) / PAGES).toFixed(0)} ms a page`
    report(
      `${subject} (${each}) / ${command.split(' ')[0]}`,
      median(ratios).toFixed(2),
      `≤ ${goal}`,
      median(ratios) <= goal,
    )
  } finally {
    worker.stop()
  }
}

try {
  await makeReport(at('report.pdf'))
  await contest('document.pdf-to-jpg', `pdftoppm -jpeg -r ${DPI} report.pdf p`, 1.1)
  await contest('document.pdf-to-png', `pdftoppm -png -r ${DPI} report.pdf p`, 0.3)
} finally {
  await rm(folder, { recursive: true, force: true })
}
