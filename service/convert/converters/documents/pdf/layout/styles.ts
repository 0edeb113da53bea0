/** The styles of the text of a page, and where its blocks stand, for formats that show both. */
import { median } from '../../../../engines/common/median.ts'
import { unionOf } from '../../../../engines/common/rectangle.ts'
import type { TextLook } from '../../../../engines/documents/model.ts'
import type { FilledBox, Rectangle, TextItem } from '../../../../engines/pdf/content/types.ts'
import type { Draft, PageDraft, TextDraft } from './drafts.ts'
import { edgesOf } from './lines.ts'
import type { Band, BlockPosition } from './model.ts'

/** Returns the same object for the same look. */
export function lookReader(): (item: TextItem) => TextLook {
  const known = new Map<string, TextLook>()
  return ({ size: exact, colour, font }) => {
    const size = Math.round(exact * 2) / 2
    const key = `${size} ${colour} ${font.name}`
    const look = known.get(key) ?? { size, colour, family: familyOf(font.name) }
    known.set(key, look)
    return look
  }
}

/** Fonts that Office has under other names, and those that it has in place of others. */
const FAMILIES: readonly [RegExp, string][] = [
  [/^(?:helvetica|arial|nimbussan)/i, 'Arial'],
  [/^(?:times|nimbusrom|cmr|cmb|cmti|sfr|lmroman|libertinus|linlibertine)/i, 'Times New Roman'],
  [/^(?:courier|nimbusmon|cmtt|lmmono)/i, 'Courier New'],
]

/** The family of a font by its PostScript name, such as `LiberationSans-BoldItalic`. */
function familyOf(name: string): string {
  const office = FAMILIES.find(([pattern]) => pattern.test(name))
  if (office) return office[1]
  const family = name.replace(/[-,].*$/, '').replace(/(?:PS)?MT$/, '')
  const spaced = family.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').replace(/^Deja Vu/, 'DejaVu')
  return spaced || 'Calibri'
}

/** Heights of a line over its baseline, and of a single line, as shares of the size. */
const ASCENT = 0.8
const PITCH = 1.17

/** The places of all blocks of a page; those of slanted text are not known. */
export function placesOf(
  { index, width, height, regions }: PageDraft,
  text: Rectangle,
  filled: readonly FilledBox[],
): Map<Draft, BlockPosition> {
  const backgrounds = filled.filter(
    box => box.colour !== WHITE && box.width * box.height < width * height * LARGEST_BOX,
  )
  const places = new Map<Draft, BlockPosition>()
  const boxes = regions.map(region => unionOf(region.flatMap(draft => boxOf(draft) ?? [])))
  const bands = bandsOf(boxes)
  let above = text.y
  let bandBottom = above
  let band: Band | undefined
  for (const [number, region] of regions.entries()) {
    const found = bands[number]
    const box = boxes[number]
    if (!found || !box) continue
    if (found.band !== band) {
      band = found.band
      // What covers the whole width has the edges of the text of all pages.
      if (band.columns.length === 1) band.columns = [{ left: text.x, right: text.x + text.width }]
      above = bandBottom
    }
    const column = band.columns[found.column]!
    let bottom = above
    for (const draft of region) {
      const own = boxOf(draft)
      if (!own) continue
      const pitch = draft.kind === 'text' ? pitchOf(draft) : 0
      // The lower quarter of a line is below its baseline.
      const top = draft.kind === 'text' ? draft.lines[0]!.baseline - pitch + (draft.size * PITCH) / 5 : own.y
      const behind = draft.kind === 'text' ? boxBehind(own, backgrounds) : {}
      places.set(draft, {
        page: index,
        band,
        column: found.column,
        before: Math.max(0, top - (behind.box?.top ?? 0) - bottom),
        pitch,
        ...(draft.kind === 'text' ? linesIn(draft, column) : boxIn(own, column)),
        ...behind,
      })
      const end =
        draft.kind === 'text' ? draft.lines.at(-1)!.baseline + (draft.size * PITCH) / 5 : own.y + own.height
      bottom = end + (behind.box?.bottom ?? 0)
    }
    bandBottom = Math.max(bandBottom, bottom)
  }
  return places
}

const WHITE = 0xffffff
/** Share of a page from which a box is the background of the page. */
const LARGEST_BOX = 0.5

function boxBehind(own: Rectangle, boxes: readonly FilledBox[]): Pick<BlockPosition, 'box'> {
  const found = boxes.findLast(
    ({ x, y, width, height }) =>
      x <= own.x + 1 &&
      y <= own.y + 1 &&
      x + width >= own.x + own.width - 1 &&
      y + height >= own.y + own.height - 1,
  )
  if (!found) return {}
  return {
    box: {
      colour: found.colour,
      top: own.y - found.y,
      bottom: found.y + found.height - own.y - own.height,
      left: own.x - found.x,
      right: found.x + found.width - own.x - own.width,
    },
  }
}

/** Regions that begin beside the one before them are columns of one band. */
function bandsOf(boxes: readonly (Rectangle | undefined)[]): ({ band: Band; column: number } | undefined)[] {
  let band: Band | undefined
  let last: Rectangle | undefined
  return boxes.map(box => {
    if (!box) return undefined
    const column = { left: box.x, right: box.x + box.width }
    const isBeside = last && box.x >= last.x + last.width - 3 && box.y < last.y + last.height
    if (band && isBeside) band.columns.push(column)
    else band = { columns: [column] }
    last = box
    return { band, column: band.columns.length - 1 }
  })
}

function pitchOf({ lines, size }: TextDraft): number {
  const steps = lines.slice(1).map((line, index) => line.baseline - lines[index]!.baseline)
  const pitch = median(steps) ?? 0
  return pitch > size * 0.8 ? pitch : size * PITCH
}

/** Tolerance for edges of lines, in points. */
const SAME_EDGE = 1.5

/** How the lines of a paragraph stand in their column. */
function linesIn({ lines, bold }: TextDraft, column: Band['columns'][number]) {
  const [first, ...rest] = lines
  const others = rest.length > 0 ? rest : lines
  const { left } = edgesOf(others)
  const { right } = edgesOf(lines)
  const room = { left: left - column.left, right: column.right - right }
  const isSame = (values: number[]) => Math.max(...values) - Math.min(...values) < SAME_EDGE
  const full = lines.slice(0, -1)
  const level = isSame(others.map(line => line.x))
  const isJustified = full.length > 1 && level && isSame(full.map(line => line.right).concat(right))
  const middles = lines.map(line => (line.x + line.right) / 2)
  const middle = (column.left + column.right) / 2
  const isCentred =
    !isJustified &&
    middles.every(value => Math.abs(value - middle) < SAME_EDGE * 2) &&
    room.left > SAME_EDGE * 4
  const isRight =
    !isJustified &&
    !isCentred &&
    room.right < SAME_EDGE &&
    room.left > (column.right - column.left) / 3 &&
    (lines.length === 1 || isSame(lines.map(line => line.right)))
  const align = isCentred ? 'center' : isRight ? 'right' : isJustified ? 'justify' : 'left'
  const free = align === 'center' || align === 'right'
  return {
    align,
    bold,
    left: free ? 0 : Math.max(0, room.left),
    right: free ? 0 : column.right - (isJustified ? right : edgeOf(lines, right)),
    first: free ? 0 : Math.max(-Math.max(0, room.left), first!.x - left),
  } as const
}

/** An edge at which these lines break where they do: beyond all of them, and before the words that begin the next ones. */
function edgeOf(lines: TextDraft['lines'], right: number): number {
  if (lines.length < 2) return right + lines[0]!.size * 2
  const limit = Math.min(
    ...lines.slice(1).map((line, index) => lines[index]!.right + line.size / 4 + line.words[0]!.width),
  )
  return limit > right ? (right + Math.min(limit, right + lines[0]!.size * 4)) / 2 : right
}

/** How a table or a picture stands in its column. */
function boxIn({ x, width }: Rectangle, column: Band['columns'][number]) {
  const [left, right] = [x - column.left, column.right - x - width]
  const isCentred = Math.abs(left - right) < SAME_EDGE * 2 && left > SAME_EDGE * 4
  return {
    align: isCentred ? 'center' : 'left',
    bold: false,
    left: isCentred ? 0 : Math.max(0, left),
    right: 0,
    first: 0,
  } as const
}

/** What a block covers; undefined for slanted text. */
export function boxOf(draft: Draft): Rectangle | undefined {
  if (draft.kind === 'slanted') return undefined
  if (draft.kind !== 'text') return draft.box
  const { lines } = draft
  const { left: x, right } = edgesOf(lines)
  const y = Math.min(...lines.map(line => line.baseline - line.size * ASCENT))
  return { x, y, width: right - x, height: lines.at(-1)!.baseline - y }
}

/** What the text of all pages covers: edges that most pages have, and the top of the highest text. */
export function textArea(pages: readonly PageDraft[]): Rectangle {
  const boxes = pages.flatMap(
    ({ regions }) => unionOf(regions.flat().flatMap(draft => boxOf(draft) ?? [])) ?? [],
  )
  const middle = (values: number[]) => median(values) ?? 0
  const x = Math.min(middle(boxes.map(box => box.x)), ...boxes.slice(0, 1).map(box => box.x))
  const right = Math.max(
    middle(boxes.map(box => box.x + box.width)),
    ...boxes.slice(0, 1).map(box => box.x + box.width),
  )
  const y = Math.min(...boxes.map(box => box.y), Number.POSITIVE_INFINITY)
  const bottom = Math.max(...boxes.map(box => box.y + box.height), 0)
  return boxes.length > 0
    ? { x, y, width: right - x, height: bottom - y }
    : { x: 0, y: 0, width: 0, height: 0 }
}
