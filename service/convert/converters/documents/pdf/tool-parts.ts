/** Which pages of a PDF become which file. */
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Excerpt, TaskInput } from '../../../catalogue/task.ts'
import type { Bookmark } from '../../../engines/pdf/edit/destinations.ts'
import { openPdf, type PdfDocument } from '../../../engines/pdf/pdfium/document.ts'
import { release } from '../../../engines/pictures/pixels.ts'
import { pageFilter, pagesIn } from '../../images/write/page-list.ts'
import { chosenPages } from './chosen-pages.ts'
import { rasterOf } from './pages.ts'
import type { PdfToolOptions } from './tool-options.ts'

export interface PagesOfResult {
  name: string
  /** Numbers from 0, in the order of the result. */
  pages: number[]
}

/** The pages of each result. @throws JobFailure unsupported_input if no page is left, too_many_pages */
export async function partsOf(
  pdf: PdfDocument,
  { pages, leaveOut, leaveOutBlank, reverse, split }: PdfToolOptions,
): Promise<PagesOfResult[]> {
  const count = pdf.pageCount
  const isLeftOut = leaveOut ? pageFilter(leaveOut, count) : () => false
  const ranges = (pages === 'all' ? '1-' : pages).split(',').map(range => ({
    name: range.trim(),
    pages: pagesIn(range, count).filter(page => !isLeftOut(page)),
  }))
  if (leaveOutBlank) for (const range of ranges) range.pages = range.pages.filter(page => !isBlank(pdf, page))
  if (reverse) for (const range of ranges.reverse()) range.pages.reverse()
  const all = [...new Set(ranges.flatMap(range => range.pages))]
  if (all.length === 0)
    throw new JobFailure('jobs.unsupported_input', message('pdf.no_page_chosen', { pages: count }))
  if (split === 'none' || split === 'bookmarks' || split === 'size') return [{ name: '', pages: all }]
  // Checks how many files there would be.
  if (split === 'pages') chosenPages(all.length, 'all')
  return split === 'pages'
    ? all.map(page => ({ name: String(page + 1), pages: [page] }))
    : ranges.filter(range => range.pages.length > 0)
}

/** Resolution at which specks of dust are fainter than letters, in pixels per inch. */
const BLANK_DPI = 50
/** How much a pixel has to differ from the paper, of 255, and how many have to. */
const INK = { contrast: 70, pixels: 3 }
/** Share of the edges in which scanners leave shadows. */
const SHADOW = 0.025

/** Whether a page shows nothing, or only the dust of a scan. A page that cannot be read is not blank. */
export function isBlank(pdf: PdfDocument, page: number): boolean {
  const size = pdf.pageSize(page)
  const drawn = size && pdf.render(page, rasterOf(size, BLANK_DPI))
  if (!drawn) return false
  const { width, height, data } = drawn
  const [left, top] = [Math.floor(width * SHADOW), Math.floor(height * SHADOW)]
  const counts = new Uint32Array(256)
  for (let y = top; y < height - top; y++)
    for (let x = left; x < width - left; x++) {
      const at = (y * width + x) * 3
      counts[Math.min(data[at]!, data[at + 1]!, data[at + 2]!)]!++
    }
  release(drawn)
  const paper = counts.indexOf(Math.max(...counts))
  const inked = counts.filter((_, value) => Math.abs(value - paper) > INK.contrast)
  return inked.reduce((sum, count) => sum + count, 0) < INK.pixels
}

/**
 * A result for each bookmark, up to the next one; what comes before the first belongs to it.
 * @param pages those of the whole result, in its order
 * @throws JobFailure unsupported_input without bookmarks, too_many_pages
 */
export function partsByBookmark(pages: readonly number[], bookmarks: readonly Bookmark[]): PagesOfResult[] {
  const starts = bookmarks.filter(({ page }, index) => page !== bookmarks[index - 1]?.page)
  if (starts.length === 0) throw new JobFailure('jobs.unsupported_input', message('pdf.no_bookmarks'))
  chosenPages(starts.length, 'all')
  const digits = String(starts.length).length
  return starts.flatMap(({ title, page }, index) => {
    const from = index === 0 ? 0 : page
    const to = starts[index + 1]?.page ?? Number.POSITIVE_INFINITY
    const own = pages.filter(each => each >= from && each < to)
    const name =
      `${String(index + 1).padStart(digits, '0')} ${title.replace(/\s+/g, ' ').trim().slice(0, 80)}`.trim()
    return own.length > 0 ? [{ name, pages: own }] : []
  })
}

/** How often a part is written again with more or fewer pages. */
const TRIES = 4

/**
 * The first pages of a file that stay within a size: as many as fit, or nearly as many; at least one, whatever its size.
 * @param left how many pages there are
 * @param bytesPerPage roughly
 * @param write a file of so many pages
 */
export async function largestWithin(
  limit: number,
  left: number,
  bytesPerPage: number,
  write: (count: number) => Promise<Uint8Array>,
): Promise<{ bytes: Uint8Array; count: number }> {
  const within = (count: number) => Math.max(1, Math.min(left, Math.floor(count)))
  let [best, tooMany]: [{ bytes: Uint8Array; count: number } | undefined, number] = [undefined, left + 1]
  let count = within(limit / bytesPerPage)
  for (let tries = 0; tries < TRIES || !best; tries++) {
    const bytes = await write(count)
    if (bytes.length <= limit || count === 1) best = { bytes, count }
    else tooMany = count
    const next = Math.floor((count * limit) / bytes.length)
    const low = best?.count ?? 0
    if (tooMany - low <= 1) break
    count = Math.min(tooMany - 1, Math.max(low + 1, next))
  }
  return best!
}

/** For a preview: the first page of the result, which has to open without a new password. */
export async function partOf(input: TaskInput, options: PdfToolOptions): Promise<Excerpt> {
  using pdf = await openPdf(input.path, options.password, { fields: false })
  const pages = (await partsOf(pdf, options)).flatMap(part => part.pages)
  const [page = 0] = pages
  const { leaveOut: _leaveOut, newPassword: _newPassword, ...rest } = { ...options, leaveOutBlank: false }
  return {
    options: {
      ...rest,
      pages: String(page + 1),
      split: 'none',
      ...(rest.targetSize !== undefined && { targetSize: rest.targetSize / pages.length }),
    },
    whole: bytes => bytes * pages.length,
    isPart: pages.length > 1,
    page,
  }
}
