import { expect, it } from 'vitest'
import { spanOf, type TimeRange, timeWithin, withGapsAt, within } from './span.ts'

const LENGTH = 20
const STEP = 0.25

/** Numbers that are the same at every run. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    yield state / 2 ** 31
  }
}

const isIn = ({ start, end, gaps = [] }: TimeRange, time: number) =>
  time >= start && time < (end ?? LENGTH) && !gaps.some(gap => time >= gap.start && time < gap.end)

it('what is kept is what lies in the part and the parts, and in nothing that is cut out', () => {
  const random = numbers(7)
  const time = () => Math.floor((random.next().value as number) * LENGTH * 4) / 4
  for (let round = 0; round < 300; round++) {
    const list = (count: number) => Array.from({ length: count }, () => [time(), time()] as const)
    const [parts, cuts, [start, end]] = [
      list(round % 4),
      list(round % 3),
      [Math.floor(time() * 2) / 4, time()],
    ] as const
    const written = (all: typeof parts) => all.map(([from, to]) => `0:${from}-${to}`).join(', ')
    const trim = {
      ...{ start, end },
      ...(parts.length > 0 && { parts: written(parts) }),
      ...(cuts.length > 0 && { cuts: written(cuts) }),
    }
    const holds = (all: typeof parts, at: number) => all.some(([from, to]) => at >= from && at < to)
    const wanted = Array.from({ length: LENGTH / STEP }, (_, nth) => nth * STEP).filter(
      at => at >= start && at < end && (parts.length === 0 || holds(parts, at)) && !holds(cuts, at),
    )
    if (wanted.length === 0) {
      expect(() => spanOf(trim, LENGTH)).toThrow()
      continue
    }
    const span = spanOf(trim, LENGTH)
    for (let at = 0; at < LENGTH; at += STEP) {
      expect(isIn(span, at), `${at} of ${JSON.stringify(trim)}`).toBe(wanted.includes(at))
      expect(timeWithin(span, at)).toBeCloseTo(wanted.filter(each => each < at).length * STEP)
    }
    const chapter = within(span, { start: 5, end: 10 })
    const inside = wanted.filter(at => at >= 5 && at < 10)
    expect(chapter === null).toBe(inside.length === 0)
    if (chapter) expect(timeWithin(chapter, LENGTH)).toBeCloseTo(inside.length * STEP)
  }
})

it('what is copied is cut out by whole groups of frames, and only what was to be', () => {
  const keys = [0, 2, 4, 6, 8].map(time => ({ time, first: time - (time === 4 ? 0.2 : 0) }))
  const gapsOf = (cuts: string) => withGapsAt(spanOf({ start: 0, cuts }, LENGTH), keys).gaps
  expect(gapsOf('1-7')).toEqual([{ start: 2, end: 6 }])
  expect(gapsOf('3-8')).toEqual([{ start: 3.8, end: 8 }])
  expect(gapsOf('3-5')).toBeUndefined()
  expect(gapsOf('2-4, 4.5-5')).toEqual([{ start: 2, end: 4 }])
})
