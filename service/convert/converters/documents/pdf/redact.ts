/**
 * Blacks out words, patterns and areas. Each page with one becomes a picture with the rest of its text behind it, since nothing else is
 * certain to be gone: letters may be drawn twice, in forms, in hidden layers, or outside the page.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createContext, Script } from 'node:vm'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { overlap, type Rectangle } from '../../../engines/common/rectangle.ts'
import { flattened, writeDocument } from '../../../engines/pdf/edit/index.ts'
import { reducePage, removeHiddenData, stringsDrawnBy, textsOf } from '../../../engines/pdf/edit/redact.ts'
import { replaceByImage, TextLayer } from '../../../engines/pdf/pdfa/index.ts'
import { numbersEntry } from '../../../engines/pdf/pdfa/objects.ts'
import { openPdf, type PdfDocument } from '../../../engines/pdf/pdfium/document.ts'
import { type Letter, runsOf } from '../../../engines/pdf/pdfium/letters.ts'
import { pageFilter } from '../../images/write/page-list.ts'
import { listed } from './chosen-pages.ts'
import { pagePicture } from './rebuilt.ts'
import { boxIn, layText } from './shown-text.ts'
import { isBlank } from './tool-parts.ts'
import type { Opened } from './tool-steps.ts'

const POINTS_PER_MM = 72 / 25.4
/** How long the expressions may take for a page, in milliseconds: some take longer than the sun will shine. */
const LONGEST_MS = 2000
/** Letters that one word consists of; those of other scripts stand beside each other without spaces. */
const WORD = '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{N}\\p{M}]'

interface Redaction {
  words?: string
  pattern?: string
  /** Such as `1-2:20,30,100,15`, several apart by semicolons. */
  areas?: string
}

type Range = [from: number, to: number]
/** Finds what is to be blacked out in each of several texts. @throws JobFailure unsupported_input if that takes too long */
type Finder = (texts: readonly string[]) => Range[][]

/** @throws JobFailure unsupported_input if an expression is none or takes too long, or if something would be left */
export async function redact(opened: Opened, { words = '', pattern, areas = '' }: Redaction): Promise<void> {
  const { task } = opened
  const find = finderOf(words, pattern)
  const document = await flattened(opened.document)
  opened.document = document
  removeHiddenData(document)
  const path = join(task.folder, 'redacted.pdf')
  await writeFile(path, await writeDocument(document))
  const touched: number[] = []
  const unread: number[] = []
  let places = 0
  {
    using pdf = await openPdf(path, undefined, { fields: false })
    const layer = new TextLayer(document)
    for (const [index, page] of document.getPages().entries()) {
      task.progress(0, 'preparing')
      const letters = pdf.letters(index)
      const found = foundIn(letters, find)
      const onPage = areasOf(areas, pdf, index)
      const isHidden = found.length === 0 && find([stringsDrawnBy(page)])[0]!.length > 0
      if (!letters.some(({ text }) => /[\p{L}\p{N}]/u.test(text)) && !isBlank(pdf, index)) unread.push(index)
      if (found.length + onPage.length === 0 && !isHidden) continue
      touched.push(index)
      places += found.length + onPage.length + Number(isHidden)
      const gone = new Set(found.flat())
      const shown = pdf.shownMatrix(index)
      const black = [...onPage, ...[...gone].map(letter => boxIn(shown, letter))].filter(
        box => box.width * box.height > 0,
      )
      const isGone = (place: Rectangle) => black.some(box => overlap(box, boxIn(shown, place)))
      const left = letters.map(letter => (gone.has(letter) || isGone(letter) ? undefined : letter))
      await replaceByImage(document, page, await pagePicture(pdf, index, black))
      reducePage(page, link => {
        const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbersEntry(link, 'Rect') ?? []
        const [x, y] = [Math.min(x1, x2), Math.min(y1, y2)]
        return !isGone({ x, y, width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) })
      })
      layText(layer, page, pdf, index, runsOf(left))
    }
  }
  const texts = [...textsOf(document)]
  for (const [index, ranges] of find(texts.map(({ text }) => text)).entries()) {
    const { text, set } = texts[index]!
    if (ranges.length > 0)
      set(
        ranges
          .toSorted(([one], [other]) => other - one)
          .reduce((rest, [from, to]) => rest.slice(0, from) + rest.slice(to), text),
      )
  }
  await writeFile(path, await writeDocument(document))
  using result = await openPdf(path, undefined, { fields: false })
  for (const [index, page] of document.getPages().entries())
    if (foundIn(result.letters(index), find).length + find([stringsDrawnBy(page)])[0]!.length > 0)
      throw new JobFailure('jobs.unsupported_input', message('pdf.redact_impossible'))
  if (places === 0) task.warn(message('pdf.nothing_redacted'))
  else task.warn(message('pdf.redacted', { places, pages: listed(touched) }))
  if ((words.trim() || pattern) && unread.length > 0)
    task.warn(message('pdf.redact_unread', { pages: listed(unread) }))
}

/** @throws JobFailure unsupported_input if the pattern is no expression */
function finderOf(words: string, pattern: string | undefined): Finder {
  const phrases = words.split(',').flatMap(word => word.normalize('NFKC').trim().replace(/\s+/g, ' ') || [])
  const escaped = phrases.map(word => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  const expressions =
    escaped.length > 0 ? [new RegExp(`(?<!${WORD})(?:${escaped.join('|')})(?!${WORD})`, 'giu')] : []
  try {
    if (pattern) expressions.push(new RegExp(pattern, 'gu'))
  } catch (cause) {
    throw new JobFailure(
      'jobs.unsupported_input',
      message('pdf.pattern_invalid', { pattern: pattern!.slice(0, 100) }),
      { cause },
    )
  }
  const context = createContext({ expressions, texts: [] as readonly string[] })
  const script = new Script(
    'texts.map(text => expressions.flatMap(each => [...text.matchAll(each)].map(found => [found.index, found.index + found[0].length])))',
  )
  return texts => {
    if (expressions.length === 0) return texts.map(() => [])
    context.texts = texts
    try {
      const found = script.runInContext(context, { timeout: LONGEST_MS }) as Range[][]
      return found.map(ranges => ranges.filter(([from, to]) => to > from))
    } catch (cause) {
      throw new JobFailure('jobs.unsupported_input', message('pdf.pattern_slow'), { cause })
    }
  }
}

/** The letters of each place that is found on a page, in words as they are and in words that are joined over ends of lines. */
function foundIn(letters: readonly Letter[], find: Finder): Letter[][] {
  const readings = [true, false].map(isJoined => readingOf(letters, isJoined))
  const found = find(readings.map(({ text }) => text)).flatMap((ranges, reading) =>
    ranges.map(([from, to]) => [...new Set(readings[reading]!.letters.slice(from, to))]),
  )
  // Most places are in both.
  return [...new Map(found.map(place => [place[0], place])).values()]
}

const HYPHEN = /[-\u2010\u00ad]/
const SOFT = /\u00ad/

/** @param isJoined whether hyphens at ends of lines are left out */
function readingOf(letters: readonly Letter[], isJoined: boolean): { text: string; letters: Letter[] } {
  let text = ''
  const read: Letter[] = []
  for (const [index, letter] of letters.entries()) {
    const [before = '', after = ''] = [letters[index - 1]?.text, letters[index + 1]?.text]
    const isBreak = /\s/.test(letter.text) && (HYPHEN.test(before) || before === '\r')
    if (isJoined && (SOFT.test(letter.text) || (HYPHEN.test(letter.text) && /[\r\n]/.test(after)) || isBreak))
      continue
    const plain = letter.text.replace(SOFT, '-').normalize('NFKC').replace(/\s+/g, ' ')
    if (plain === ' ' && text.endsWith(' ')) continue
    text += plain
    for (let unit = 0; unit < plain.length; unit++) read.push(letter)
  }
  return { text, letters: read }
}

/** Areas of a page, in points of the page as displayed, from its lower left corner. */
function areasOf(areas: string, pdf: PdfDocument, index: number): Rectangle[] {
  const height = pdf.pageSize(index)?.height ?? 0
  return areas.split(';').flatMap(area => {
    const [list = '', numbers = ''] = area.split(':')
    const [left = 0, top = 0, wide = 0, high = 0] = numbers
      .split(',')
      .map(each => Number(each) * POINTS_PER_MM)
    const isOn = numbers !== '' && pageFilter(list, pdf.pageCount)(index)
    return isOn ? [{ x: left, y: height - top - high, width: wide, height: high }] : []
  })
}
