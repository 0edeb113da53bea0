import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Task } from '../../../catalogue/task.ts'
import type { PdfDocument } from '../../../engines/pdf/pdfium/document.ts'
import { pageFilter } from '../../images/write/page-list.ts'
import { warnOfScripts } from '../scripts.ts'

/** Maximum number of pages of one result. */
const PAGE_LIMIT = 2000

/**
 * Page indexes, from 0, for a list such as `1-3,7`.
 * @throws JobFailure too_many_pages, or unsupported_input if it selects no page
 */
export function chosenPages(count: number, list: string): number[] {
  const chosen = Array(count)
    .keys()
    .filter(pageFilter(list, count))
    .take(PAGE_LIMIT + 1)
    .toArray()
  if (chosen.length > PAGE_LIMIT)
    throw new JobFailure('jobs.too_many_pages', message('input.too_many_pages', { count, limit: PAGE_LIMIT }))
  if (chosen.length === 0)
    throw new JobFailure('jobs.unsupported_input', message('pdf.no_page_chosen', { pages: count }))
  return chosen
}

/** Warns of chosen pages that cannot be read. @throws JobFailure corrupt_input if that is so of all of them */
export function warnOfUnread({ warn }: Pick<Task, 'warn'>, read: number, chosen: number): void {
  if (read === 0) throw new JobFailure('jobs.corrupt_input', message('pdf.no_readable_page'))
  if (read < chosen) warn(message('pdf.pages_left_out', { pages: chosen - read }))
}

/** The numbers of pages, given from 0, as people count them. */
export const listed = (pages: readonly number[]): string => ranges(pages.map(page => page + 1))

/** Page numbers such as `1–3, 7`; only the first ones if there are many. */
export function ranges(pages: readonly number[]): string {
  const found: [number, number][] = []
  for (const page of pages) {
    const last = found.at(-1)
    if (last && page === last[1] + 1) last[1] = page
    else found.push([page, page])
  }
  const texts = found.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`))
  return texts.length > 12 ? `${texts.slice(0, 12).join(', ')} …` : texts.join(', ')
}

const LONGEST_LIST = 100

/** Names in a list that fits into a message. */
export function shortened(names: readonly string[]): string {
  const text = names.join(', ')
  return text.length > LONGEST_LIST ? `${text.slice(0, LONGEST_LIST)} …` : text
}

/** Warns of what results lack: the protection, pages of a damaged file, and annotations on these pages that nothing here can draw. */
export function warnOfSource(
  { warn }: Pick<Task, 'warn'>,
  {
    isProtected,
    isRepaired,
    pageCount,
    undrawn = [],
    lacking = [],
  }: Pick<PdfDocument, 'isProtected' | 'isRepaired' | 'pageCount'> & Partial<PdfDocument>,
  chosen: readonly number[],
): void {
  if (isProtected) warn(message('pdf.protection_not_kept'))
  if (isRepaired) warn(message('pdf.repaired', { pages: pageCount }))
  warnOfScripts({ warn }, lacking)
  const pages = undrawn.filter(page => chosen.includes(page))
  if (pages.length > 0) warn(message('pdf.annotations_not_drawn', { pages: listed(pages) }))
}
