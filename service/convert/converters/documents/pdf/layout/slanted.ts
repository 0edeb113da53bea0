/** Places paragraphs at other angles than quarter turns among the blocks of their pages. */
import type { PageContent, Rectangle, SlantedText } from '../../../../engines/pdf-content/types.ts'
import type { Draft, PageDraft, SlantedDraft } from './drafts.ts'
import { linesOf } from './lines.ts'

/** Tolerance for the same place on different pages, in points. */
const SAME_PLACE = 4

/** The texts that do not recur at the same place on most pages, as watermarks do; on a page without other text all of them. */
export function withoutWatermarks(pages: readonly PageContent[]): Map<number, SlantedText[]> {
  const byWords = Map.groupBy(
    pages.flatMap(({ index, slanted }) => slanted.map(text => ({ page: index, text }))),
    ({ text }) => wordsIn(text),
  )
  const isWatermark = (text: SlantedText) => {
    const alike = byWords.get(wordsIn(text)) ?? []
    // Most texts stand once, and need no comparison of places.
    if (pages.length < 2 || alike.length * 2 <= pages.length) return false
    const found = new Set(
      alike.filter(other => isSamePlace(other.text.box, text.box)).map(({ page }) => page),
    )
    return found.size * 2 > pages.length
  }
  return new Map(
    pages.map(({ index, slanted, text, turned }) => [
      index,
      text.length + turned.length === 0 ? slanted : slanted.filter(part => !isWatermark(part)),
    ]),
  )
}

const isSamePlace = (one: Rectangle, other: Rectangle) =>
  Math.abs(one.x - other.x) < SAME_PLACE && Math.abs(one.y - other.y) < SAME_PLACE

const wordsIn = ({ text }: SlantedText) => text.map(item => item.text).join(' ')

/** Adds texts to the blocks of a page: beside the nearest block, or after the page if they cover others. */
export function withSlanted(page: PageDraft, texts: readonly SlantedText[]): PageDraft {
  if (texts.length === 0) return page
  const before = new Map<Draft, SlantedDraft[]>()
  const after = new Map<Draft, SlantedDraft[]>()
  const last: SlantedDraft[] = []
  const blocks = page.regions.flat().flatMap(draft => {
    const box = boxOf(draft)
    return box ? [{ draft, box }] : []
  })
  for (const { text, box } of texts) {
    const words = text.filter(item => !item.artefact).map((item, order) => ({ ...item, order }))
    if (words.length === 0 || !isOn(page, box)) continue
    const draft: SlantedDraft = { kind: 'slanted', lines: linesOf(words), page: page.index }
    const nearest = nearestOf(blocks, box)
    if (!nearest) {
      last.push(draft)
      continue
    }
    const isAbove = box.y + box.height / 2 < nearest.box.y + nearest.box.height / 2
    const beside = isAbove ? before : after
    beside.set(nearest.draft, [...(beside.get(nearest.draft) ?? []), draft])
  }
  const regions = page.regions.map(region =>
    region.flatMap(draft => [...(before.get(draft) ?? []), draft, ...(after.get(draft) ?? [])]),
  )
  return { ...page, regions: last.length > 0 ? [...regions, last] : regions }
}

const isOn = ({ width, height }: PageDraft, box: Rectangle) =>
  gap(0, width, box.x, box.width) === 0 && gap(0, height, box.y, box.height) === 0

/** A block and what it covers. */
interface PlacedBlock {
  draft: Draft
  box: Rectangle
}

/** The block nearest to a place; undefined if there is none or if paragraphs are within the place. */
function nearestOf(blocks: readonly PlacedBlock[], place: Rectangle) {
  let nearest: PlacedBlock | undefined
  let least = Number.POSITIVE_INFINITY
  for (const { draft, box } of blocks) {
    const [across, down] = [
      gap(box.x, box.width, place.x, place.width),
      gap(box.y, box.height, place.y, place.height),
    ]
    if (across === 0 && down === 0 && draft.kind === 'text') return undefined
    const distance = Math.hypot(across, down)
    if (distance >= least) continue
    least = distance
    nearest = { draft, box }
  }
  return nearest
}

/** Distance between two ranges; 0 if they overlap. */
const gap = (from: number, length: number, otherFrom: number, otherLength: number) =>
  Math.max(0, otherFrom - from - length, from - otherFrom - otherLength)

function boxOf(draft: Draft): Rectangle | undefined {
  if (draft.kind === 'slanted') return undefined
  if (draft.kind !== 'text') return draft.box
  const { lines } = draft
  const x = Math.min(...lines.map(line => line.x))
  const y = Math.min(...lines.map(line => line.y))
  return {
    x,
    y,
    width: Math.max(...lines.map(({ right }) => right)) - x,
    height: Math.max(...lines.map(line => line.y + line.height)) - y,
  }
}
