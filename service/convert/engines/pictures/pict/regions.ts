import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { ByteReader } from '../../common/byte-reader.ts'
import { type Rect, readRect } from './geometry.ts'

/** An area as rectangles that do not overlap; a single one for a plain rectangle. */
export interface Region {
  bounds: Rect
  rects: Rect[]
}

const END = 0x7fff
/** Maximum number of comparisons for one region; real ones need some thousands. */
const WORK_LIMIT = 20_000_000

/**
 * Reads a region: its size, its bounds, and, unless it is a rectangle, lines with a vertical position and the
 * horizontal positions at which the outline changes there (Inside Macintosh: Imaging with QuickDraw, 2-4).
 */
export function readRegion(reader: ByteReader): Region {
  const size = reader.u16()
  if (size < 10) throw new JobFailure('jobs.corrupt_input', message('pict.damaged_region'))
  const data = reader.section(size - 2)
  const bounds = readRect(data)
  return { bounds, rects: data.remaining >= 2 ? readRects(data) : [bounds] }
}

function readRects(data: ByteReader): Rect[] {
  const rects: Rect[] = []
  /** Spans inside the region at the current line, each with the line at which it began; keys are `left,right`. */
  let open = new Map<number, Rect>()
  let edges: number[] = []
  let work = 0
  while (data.remaining >= 2) {
    const y = data.i16()
    if (y === END) break
    const changes: number[] = []
    while (data.remaining >= 2) {
      const x = data.i16()
      if (x === END) break
      changes.push(x)
    }
    edges = toggle(edges, changes)
    work += edges.length + changes.length
    if (work > WORK_LIMIT) throw new JobFailure('jobs.too_large', message('pict.too_intricate_region'))
    const next = new Map<number, Rect>()
    for (let i = 0; i + 1 < edges.length; i += 2) {
      const [left, right] = [edges[i]!, edges[i + 1]!]
      const key = left * 65536 + right
      const started = open.get(key)
      if (started) open.delete(key)
      next.set(key, started ?? { top: y, left, bottom: y, right })
    }
    for (const rect of open.values()) close(rect, y, rects)
    open = next
  }
  return rects
}

function close(rect: Rect, bottom: number, rects: Rect[]): void {
  rect.bottom = bottom
  if (bottom > rect.top) rects.push(rect)
}

/** Symmetric difference of two lists of positions: each change switches between inside and outside. */
function toggle(edges: readonly number[], changes: readonly number[]): number[] {
  const counts = new Map<number, number>()
  for (const x of edges) counts.set(x, 1)
  for (const x of changes) counts.set(x, (counts.get(x) ?? 0) ^ 1)
  return [...counts]
    .filter(([, odd]) => odd === 1)
    .map(([x]) => x)
    .sort((a, b) => a - b)
}
