/** Lists of pages, such as `3,1-2,last`; pages count from 1 in them. */

/**
 * The pages of a part of a list, from 0, in its order: `7`, `5-`, `last`, `odd`, `even`, or a range, which may go back as `last-1` does.
 * @param count how many pages there are; those beyond are left out
 */
export function pagesIn(part: string, count: number): number[] {
  const pages = Array.from({ length: count }, (_, index) => index)
  const range = part.trim()
  if (range === 'all') return pages
  if (range === 'odd' || range === 'even')
    return pages.filter(index => (index % 2 === 0) === (range === 'odd'))
  const [from = '', to = from] = range.split('-')
  const number = (text: string) => (text === 'last' ? count : Number(text))
  const [first, end] = [number(from), to === '' ? count : number(to)]
  const isBackwards = to !== '' && first > end
  const between = pages.slice(Math.max(0, Math.min(first, end) - 1), Math.max(first, end))
  if (to === '' && first > count) return []
  return isBackwards ? between.reverse() : between
}

/** Whether a page, from 0, is in a list. */
export function pageFilter(list: string, count: number): (page: number) => boolean {
  const pages = new Set(list.split(',').flatMap(part => pagesIn(part, count)))
  return page => pages.has(page)
}
