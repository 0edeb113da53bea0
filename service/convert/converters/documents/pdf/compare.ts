/** Finds what differs between two PDFs: their words, and how their pages look. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PDFDocument } from '@cantoo/pdf-lib'
import { diffArrays } from 'diff'
import { message } from '../../../../shared/messages/message.ts'
import type { Task } from '../../../catalogue/task.ts'
import { type Rectangle, unionOf } from '../../../engines/common/rectangle.ts'
import { impose, readDocument, writeDocument } from '../../../engines/pdf/edit/index.ts'
import { joinDocuments, takePages } from '../../../engines/pdf/edit/join.ts'
import { type Mark, markPage } from '../../../engines/pdf/edit/mark.ts'
import { PageSource } from '../../../engines/pdf/edit/pages.ts'
import { openPdf, type PdfDocument } from '../../../engines/pdf/pdfium/document.ts'
import { lookDifferences } from './compare-looks.ts'
import type { JoinOptions } from './join-options.ts'
import { boxIn } from './shown-text.ts'

const MM_PER_POINT = 25.4 / 72
/** How long words are compared; what differs in all then counts as removed and added. */
const LONGEST_MS = 20_000

interface Word {
  text: string
  page: number
  /** In points of the page as displayed, from its lower left corner. */
  box: Rectangle
}

/** What differs, as JSON: pages from 1, places in millimetres from the upper left corner of the page as displayed. */
interface Difference {
  kind: Mark['kind']
  page: number
  text?: string
  boxes: { left: number; top: number; width: number; height: number }[]
}

interface Differences {
  files: { pages: number }[]
  equal: boolean
  differences: Difference[]
}

/** Both documents beside each other, with marks on what differs, and the same as data. */
export async function compareFiles(
  task: Task<JoinOptions>,
  before: PDFDocument,
  after: PDFDocument,
): Promise<{ marked: PDFDocument; differences: Differences }> {
  const documents = [before, after] as const
  const paths = ['before', 'after'].map(name => join(task.folder, `${name}.pdf`))
  for (const [index, document] of documents.entries())
    await writeFile(paths[index]!, await writeDocument(document))
  using first = await openPdf(paths[0]!)
  using second = await openPdf(paths[1]!)
  const pdfs = [first, second] as const
  const found: Difference[] = []
  const marks = documents.map(document => document.getPages().map((): Mark[] => []))
  const note = (side: 0 | 1, kind: Difference['kind'], page: number, boxes: Rectangle[], text?: string) => {
    marks[side]![page]?.push(...boxes.map(box => ({ kind, box })))
    if (kind === 'look' && side === 0) return
    const height = pdfs[side].pageSize(page)?.height ?? 0
    found.push({
      kind,
      page: page + 1,
      ...(text !== undefined && { text }),
      boxes: boxes.map(box => inMm(box, height)),
    })
  }
  const words = pdfs.map(wordsOf)
  for (const { kind, words: own } of changesOf(words[0]!, words[1]!))
    for (const [page, text] of Map.groupBy(own, word => word.page))
      note(kind === 'removed' ? 0 : 1, kind, page, linesOf(text), text.map(word => word.text).join(' '))
  const pages = Math.max(first.pageCount, second.pageCount)
  for (let page = 0; page < pages; page++) {
    task.progress(0.5 + (0.4 * page) / pages, 'converting')
    const known = [0, 1].flatMap(side => (marks[side]![page] ?? []).map(({ box }) => box))
    for (const box of lookDifferences(first, second, page, known))
      for (const side of [0, 1] as const) note(side, 'look', page, [box])
  }
  for (const [side, document] of documents.entries())
    for (const [index, page] of document.getPages().entries()) markPage(page, marks[side]![index]!)
  found.sort((one, other) => one.page - other.page)
  const files = pdfs.map(({ pageCount }) => ({ pages: pageCount }))
  const equal = found.length === 0 && first.pageCount === second.pageCount
  if (equal) task.warn(message('pdf.no_differences'))
  return { marked: await besideEachOther(before, after), differences: { files, equal, differences: found } }
}

const inMm = ({ x, y, width, height }: Rectangle, pageHeight: number) => {
  const mm = (points: number) => Math.round(points * MM_PER_POINT * 10) / 10
  return { left: mm(x), top: mm(pageHeight - y - height), width: mm(width), height: mm(height) }
}

/** The words of all pages in the order of the file. */
function wordsOf(pdf: PdfDocument): Word[] {
  const words: Word[] = []
  for (let page = 0; page < pdf.pageCount; page++) {
    const shown = pdf.shownMatrix(page)
    let text = ''
    let boxes: Rectangle[] = []
    const close = () => {
      const box = unionOf(boxes)
      if (text && box) words.push({ text: text.normalize('NFKC'), page, box })
      ;[text, boxes] = ['', []]
    }
    for (const letter of pdf.letters(page)) {
      if (/\s/.test(letter.text)) close()
      else {
        text += letter.text
        if (letter.width > 0 && letter.height > 0) boxes.push(boxIn(shown, letter))
      }
    }
    close()
  }
  return words
}

/** Words that are only in one of them, as runs. */
function* changesOf(
  before: readonly Word[],
  after: readonly Word[],
): Generator<{ kind: 'removed' | 'added'; words: readonly Word[] }> {
  const texts = [before, after].map(words => words.map(({ text }) => text)) as [string[], string[]]
  const parts = diffArrays(...texts, { timeout: LONGEST_MS })
  if (!parts) {
    yield { kind: 'removed', words: before }
    yield { kind: 'added', words: after }
    return
  }
  let [old, young] = [0, 0]
  for (const { added, removed, count } of parts) {
    if (removed) yield { kind: 'removed', words: before.slice(old, old + count) }
    if (added) yield { kind: 'added', words: after.slice(young, young + count) }
    if (!added) old += count
    if (!removed) young += count
  }
}

/** The places of words, joined where they stand on one line. */
function linesOf(words: readonly Word[]): Rectangle[] {
  const lines: Rectangle[] = []
  for (const { box } of words) {
    const last = lines.at(-1)
    const isBeside =
      last &&
      Math.abs(last.y - box.y) < box.height / 2 &&
      box.x >= last.x &&
      box.x - last.x - last.width < 2 * box.height
    if (isBeside) lines[lines.length - 1] = unionOf([last, box])!
    else lines.push(box)
  }
  return lines
}

/** Sheets with a page of each; where one has no more, half of the sheet is empty. */
async function besideEachOther(before: PDFDocument, after: PDFDocument): Promise<PDFDocument> {
  const pages = Math.max(before.getPageCount(), after.getPageCount())
  for (const document of [before, after]) {
    const { width, height } = document.getPage(0).getSize()
    while (document.getPageCount() < pages) document.addPage([width, height])
  }
  const joined = await joinDocuments(
    [before, after].map(document => ({ title: '', document })),
    { bookmarks: false },
  )
  const order = Array.from({ length: 2 * pages }, (_, at) => (at % 2) * pages + Math.floor(at / 2))
  const copy = await readDocument(await writeDocument(joined))
  return impose(await takePages(new PageSource(copy), order), '2')
}
