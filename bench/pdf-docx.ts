/**
 * How much pages of Word files made from PDF look like the pages of the PDF: mean SSIM per page, drawn by LibreOffice, beside
 * LibreOffice's own import (text boxes) and a plain reflow. `BENCH_PDFS` names a folder of further files.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { readPdf } from '../service/convert/converters/documents/pdf/layout/read.ts'
import { writeWord } from '../service/convert/converters/documents/pdf/write/word/word.ts'
import { typeset } from '../testing/samples/typst.ts'
import { report } from './harness.ts'

const DPI = 50
const PAGES = 3

const samples: Record<string, string> = {
  letter: `#set page(margin: 25mm)\n#set text(font: "Arimo", size: 11pt)\n#align(right)[Ada Lovelace \\ 12 Long Street \\ London]\n#v(2cm)\nDear Mr Babbage,\n\n#lorem(120)\n\n#lorem(80)\n\nYours sincerely`,
  article: `#set page(columns: 2, margin: 20mm)\n#set text(font: "Libertinus Serif", size: 10pt)\n#set par(justify: true)\n#place(top + center, scope: "parent", float: true)[#text(20pt)[*A study*]]\n= Introduction\n#lorem(350)\n= Method\n#lorem(350)`,
  report: `#set text(font: "Arimo", size: 12pt)\n#text(26pt, fill: rgb("#1a4f8b"))[*Annual report*]\n\n= Overview\n#lorem(90)\n\n#table(columns: 3, [*Year*], [*Sales*], [*Profit*], [2020], [1,200], [130], [2021], [1,340], [155], [2022], [1,510], [190])\n\n== Outlook\n#lorem(150)\n\n- one thing\n- another thing\n- a third`,
  coloured: `#set text(font: "Arimo", size: 13pt)\n#text(fill: red)[#lorem(40)]\n\n#text(fill: rgb("#227733"), size: 18pt)[#lorem(20)]\n\n#align(center)[#text(size: 24pt)[Centred words]]\n\n#lorem(100)`,
  small: `#set page(width: 300pt, height: 400pt, margin: 30pt)\n#set text(font: "Arimo", size: 8pt)\n= Small print\n#lorem(220)`,
  boxes: `#set text(font: "Arimo", size: 11pt)\n= Notes\n#block(fill: rgb("#dde8f5"), inset: 10pt, width: 100%)[#lorem(40)]\n\n#lorem(60)\n\n#line(length: 100%)\n\n#block(fill: rgb("#203050"), inset: 12pt, width: 100%)[#text(fill: white)[#lorem(25)]]\n\n#lorem(80)`,
  slides: `#set page(width: 720pt, height: 405pt, margin: 40pt)\n#set text(font: "Arimo", size: 20pt)\n#text(36pt)[*Results*]\n\n- First point about results\n- Second point about results\n\n#pagebreak()\n#text(36pt)[*Next steps*]\n\n+ Plan\n+ Do\n+ Check`,
  invoice: `#set text(font: "Arimo", size: 10pt)\n#grid(columns: (1fr, 1fr), [Example Ltd \\ 1 Road], align(right)[Invoice 17 \\ 3 May 2024])\n#v(1cm)\n#table(columns: (1fr, auto, auto), stroke: none, [*Item*], [*Count*], [*Price*], [Pens], [12], [14.40], [Paper], [3], [21.00], [Ink], [1], [8.90])\n#v(5mm)\n#align(right)[*Total 44.30*]`,
}

const folder = mkdtempSync(join(tmpdir(), 'refile-bench-pdf-docx-'))
const paths = Object.entries(samples).map(([name, source]) => {
  const path = join(folder, `${name}.pdf`)
  writeFileSync(path, typeset(source))
  return path
})
const more = process.env.BENCH_PDFS
if (more) for (const name of readdirSync(more)) if (name.endsWith('.pdf')) paths.push(join(more, name))

function soffice(outputs: string, target: string, file: string, ...options: string[]): void {
  const profile = `-env:UserInstallation=file://${folder}/profile`
  const where = ['--convert-to', target, '--outdir', outputs]
  // It is a script that starts programs, which only a signal to all of them ends.
  const limit = ['--signal=KILL', String(LIMIT_SECONDS), 'soffice']
  spawnSync('timeout', [...limit, profile, '--headless', ...options, ...where, file], { stdio: 'ignore' })
}

const kinds = ['ours', 'reflow', 'import'] as const
/** Some files keep LibreOffice's import, or the layout of what it imported, busy for many minutes; such a page counts as blank. */
const LIMIT_SECONDS = 60
for (const kind of kinds) mkdirSync(join(folder, kind))
for (const path of paths) {
  for (const kind of ['ours', 'reflow'] as const) {
    const { document } = await readPdf(path, { looks: kind === 'ours', progress: () => {} })
    writeFileSync(join(folder, kind, `${basename(path, '.pdf')}.docx`), await writeWord(document))
  }
}
for (const path of paths) soffice(join(folder, 'import'), 'docx', path, '--infilter=writer_pdf_import')
for (const kind of kinds)
  for (const name of readdirSync(join(folder, kind)))
    soffice(join(folder, kind), 'pdf', join(folder, kind, name))

interface Picture {
  data: Buffer
  width: number
  height: number
}

/** Grey pictures of the first pages. */
async function drawn(pdf: string, size?: Picture): Promise<Picture[]> {
  const prefix = join(mkdtempSync(join(folder, 'page-')), 'p')
  spawnSync('pdftoppm', ['-r', String(DPI), '-gray', '-png', '-l', String(PAGES), pdf, prefix])
  const names = readdirSync(join(prefix, '..')).sort()
  return Promise.all(
    names.map(async name => {
      const page = sharp(join(prefix, '..', name)).greyscale()
      if (size) page.resize(size.width, size.height, { fit: 'fill' })
      const { data, info } = await page.raw().toBuffer({ resolveWithObject: true })
      return { data, width: info.width, height: info.height }
    }),
  )
}

/** Structural similarity (Wang et al., 2004) over windows of 8 × 8 pixels. */
function ssim(one: Picture, other: Picture): number {
  const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2]
  let [sum, count] = [0, 0]
  for (let top = 0; top + 8 <= one.height; top += 4)
    for (let left = 0; left + 8 <= one.width; left += 4) {
      let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0]
      for (let y = top; y < top + 8; y++)
        for (let x = left; x < left + 8; x++) {
          const [p, q] = [one.data[y * one.width + x]!, other.data[y * one.width + x]!]
          a += p
          b += q
          aa += p * p
          bb += q * q
          ab += p * q
        }
      const [ma, mb] = [a / 64, b / 64]
      const [va, vb, cov] = [aa / 64 - ma * ma, bb / 64 - mb * mb, ab / 64 - ma * mb]
      sum += ((2 * ma * mb + c1) * (2 * cov + c2)) / ((ma * ma + mb * mb + c1) * (va + vb + c2))
      count++
    }
  return sum / count
}

const totals = new Map<string, number[]>()
for (const path of paths) {
  const pages = await drawn(path)
  const scores: string[] = []
  for (const kind of kinds) {
    const made = await drawn(join(folder, kind, basename(path)), pages[0])
    const found = pages.map((page, index) => {
      const result = made[index]
      const blank = { ...page, data: Buffer.alloc(page.data.length, 255) }
      const same = result && result.data.length === page.data.length
      return ssim(page, same ? result : blank)
    })
    totals.set(kind, [...(totals.get(kind) ?? []), ...found])
    scores.push(`${kind} ${(found.reduce((sum, score) => sum + score, 0) / found.length).toFixed(3)}`)
  }
  console.log(`  ${basename(path)}: ${scores.join(', ')}`)
}
if (process.env.BENCH_KEEP) console.log(folder)
else rmSync(folder, { recursive: true })

const mean = (kind: string) => {
  const scores = totals.get(kind) ?? []
  return scores.reduce((sum, score) => sum + score, 0) / scores.length
}
const rivals = Math.max(mean('reflow'), mean('import'))
report(
  `${totals.get('ours')?.length} pages of Word from PDF, mean SSIM`,
  mean('ours').toFixed(3),
  `> ${rivals.toFixed(3)}`,
  mean('ours') > rivals,
)
console.log(`  plain reflow ${mean('reflow').toFixed(3)}, LibreOffice's import ${mean('import').toFixed(3)}`)
