import { expect, test } from 'vitest'
import { admit, type Bounds, type PoolProcess, type Queue } from './admission.ts'

const engine = (name: string, memoryBytes: number, atOnce = 6) => ({
  name,
  memoryBytes,
  atOnce,
  idleMs: 1000,
})
const small = engine('small', 100)
const other = engine('other', 100)
const large = engine('large', 500, 1)
const measuring = engine('measuring', 50, 2)

type State = 'idle' | 'busy' | 'ending'
let clock = 0

const process = (of: typeof small, state: State, queue: Queue = 'convert'): PoolProcess => ({
  queue,
  engine: of,
  isBusy: state === 'busy',
  isEnding: state === 'ending',
  idleSince: clock++,
})

const bounds: Bounds = { places: { convert: 4, measure: 2 }, memoryBudgetBytes: 1000 }
const decide = (processes: PoolProcess[], of: typeof small, changed: Partial<Bounds> = {}) =>
  admit(processes, { engine: of, queue: of === measuring ? 'measure' : 'convert' }, { ...bounds, ...changed })

test('of several warm processes, the one that worked last is used', () => {
  const [first, second] = [process(small, 'idle'), process(small, 'idle')]
  expect(decide([second, first, process(other, 'idle')], small)).toEqual({ kind: 'use', process: second })
})

test('an engine starts no more processes than it allows, counting one that is ending', () => {
  const wait = { kind: 'wait', reason: 'engine', soon: false, end: [] }
  expect(decide([], large)).toEqual({ kind: 'start', end: [] })
  expect(decide([process(large, 'busy')], large)).toEqual(wait)
  expect(decide([process(large, 'ending')], large)).toEqual(wait)
})

test('a lane keeps no more processes than it has places; the one idle for longest is ended', () => {
  const [older, newer] = [process(small, 'idle'), process(small, 'idle')]
  const busy = [process(small, 'busy'), process(small, 'busy')]
  expect(decide([newer, ...busy, older], other)).toEqual({ kind: 'start', end: [older] })
})

test('idle processes of other engines are ended to free memory, which counts as free only once they are gone', () => {
  const [older, newer] = [process(small, 'idle'), process(small, 'idle')]
  const memoryBudgetBytes = 650
  expect(decide([older, newer], large, { memoryBudgetBytes })).toEqual({
    kind: 'wait',
    reason: 'memory',
    soon: true,
    end: [older],
  })
  const ending = process(small, 'ending')
  expect(decide([ending, newer], large, { memoryBudgetBytes })).toMatchObject({ soon: true, end: [] })
  expect(decide([newer], large, { memoryBudgetBytes })).toEqual({ kind: 'start', end: [] })
})

test('no process is ended if that would not free enough memory', () => {
  const processes = [process(small, 'busy'), process(small, 'idle')]
  expect(decide(processes, large, { memoryBudgetBytes: 550 })).toEqual({
    kind: 'wait',
    reason: 'memory',
    soon: false,
    end: [],
  })
})

test('an engine that needs more than the whole budget runs alone', () => {
  const memoryBudgetBytes = 300
  const idle = process(small, 'idle')
  expect(decide([], large, { memoryBudgetBytes })).toEqual({ kind: 'start', end: [] })
  expect(decide([idle], large, { memoryBudgetBytes })).toMatchObject({ soon: true, end: [idle] })
  expect(decide([process(small, 'busy')], large, { memoryBudgetBytes })).toMatchObject({ soon: false })
  expect(decide([process(measuring, 'busy', 'measure')], large, { memoryBudgetBytes })).toMatchObject({
    kind: 'start',
  })
})

test("measuring waits for no other task's memory or places", () => {
  const busy = Array.from({ length: 4 }, () => process(other, 'busy'))
  expect(decide(busy, measuring, { memoryBudgetBytes: 400 })).toEqual({ kind: 'start', end: [] })
})
