import { expect, test } from 'vitest'
import type { Preview } from '../../service/web/app/types.ts'
import { LatestPreview, type PreviewState } from './latest.ts'

const made = (bytes: number): Preview => ({
  ...{ before: null, after: null, bytes, isEstimate: false, ssim: null },
  ...{ inputBytes: 1, warnings: [], problem: null },
})

function setUp() {
  const states: PreviewState[] = []
  let paused: (() => void) | undefined
  const latest = new LatestPreview({
    notify: state => states.push(state),
    pause: (run, pause) => {
      if (pause === 'short') run()
      else paused = run
      return () => {
        paused = undefined
      }
    },
  })
  const asked: { signal: AbortSignal; answer: (preview: Preview) => void; fail: (error: Error) => void }[] =
    []
  const load = (signal: AbortSignal) =>
    new Promise<Preview>((answer, fail) => {
      asked.push({ signal, answer, fail })
    })
  return { latest, load, asked, state: () => states.at(-1), wait: () => paused?.() }
}

const settled = () => new Promise(resolve => setImmediate(resolve))

test('nothing is requested while options change; then only the last state is', () => {
  const { latest, load, asked, wait, state } = setUp()
  latest.ask(load)
  latest.ask(load)
  expect(asked).toHaveLength(0)
  expect(state()?.isLoading).toBe(true)
  wait()
  expect(asked).toHaveLength(1)
})

test('an earlier request is aborted, and its answer ignored', async () => {
  const { latest, load, asked, wait, state } = setUp()
  latest.ask(load, true)
  asked[0]?.answer(made(1))
  await settled()
  latest.ask(load, true)
  latest.ask(load)
  expect(asked[1]?.signal.aborted).toBe(true)
  asked[1]?.answer(made(2))
  await settled()
  // Meanwhile the last preview stays visible.
  expect(state()).toMatchObject({ isLoading: true, preview: { bytes: 1 } })
  wait()
  asked[2]?.answer(made(3))
  await settled()
  expect(state()).toMatchObject({ isLoading: false, preview: { bytes: 3 } })
})

test('a failure replaces the preview', async () => {
  const { latest, load, asked, state } = setUp()
  latest.ask(load, true)
  asked[0]?.fail(new Error('gone'))
  await settled()
  expect(state()).toMatchObject({ isLoading: false, preview: null, error: new Error('gone') })
})

test('nothing is reported once nobody is watching', async () => {
  const { latest, load, asked, state } = setUp()
  latest.ask(load, true)
  latest.end()
  asked[0]?.answer(made(1))
  await settled()
  expect(asked[0]?.signal.aborted).toBe(true)
  expect(state()).toMatchObject({ isLoading: true, preview: null })
})

test('a draft replaces what the result looks like until the result is there, and nothing after it', async () => {
  const { latest, load, asked, wait, state } = setUp()
  const look = (file: string, edge: number | null) =>
    ({ kind: 'picture', file, width: edge, height: edge }) as const
  latest.ask(load, true)
  asked[0]?.answer({ ...made(1), before: look('before', 4000), after: look('first', 4000) })
  await settled()
  const drafts: ((preview: Preview) => void)[] = []
  latest.ask(load, false, () => new Promise(answer => drafts.push(answer)))
  expect(drafts).toHaveLength(1)
  const draft = { ...made(0), after: look('draft', null) }
  drafts[0]?.(draft)
  await settled()
  expect(state()).toMatchObject({
    isLoading: true,
    preview: { bytes: 1, before: look('before', 4000), after: look('draft', 4000) },
  })
  wait()
  asked[1]?.answer({ ...made(2), after: look('second', 4000) })
  await settled()
  expect(state()).toMatchObject({ isLoading: false, preview: { bytes: 2, after: look('second', 4000) } })

  latest.ask(load, false, () => new Promise(answer => drafts.push(answer)))
  wait()
  asked[2]?.answer({ ...made(3), after: look('third', 4000) })
  await settled()
  drafts[1]?.(draft)
  await settled()
  expect(state()).toMatchObject({ isLoading: false, preview: { bytes: 3, after: look('third', 4000) } })
})

test('one draft is made at a time, finished and shown, and then only the last that was asked for', async () => {
  const { latest, load, asked, state } = setUp()
  const look = (file: string) => ({ kind: 'picture', file, width: 4000, height: 4000 }) as const
  latest.ask(load, true)
  asked[0]?.answer({ ...made(1), after: look('first') })
  await settled()
  const drafts: { quality: number; signal: AbortSignal; answer: (preview: Preview) => void }[] = []
  const slide = (quality: number) =>
    latest.ask(load, false, signal => new Promise(answer => drafts.push({ quality, signal, answer })))
  for (const quality of [79, 78, 77]) slide(quality)
  expect(drafts.map(({ quality }) => quality)).toEqual([79])
  drafts[0]!.answer({ ...made(0), after: look('79') })
  await settled()
  expect(state()).toMatchObject({ isLoading: true, preview: { after: look('79') } })
  expect(drafts.map(({ quality, signal }) => [quality, signal.aborted])).toEqual([
    [79, false],
    [77, false],
  ])
  // Another option changes more than a draft shows.
  latest.ask(load)
  expect(drafts[1]!.signal.aborted).toBe(true)
  drafts[1]!.answer({ ...made(0), after: look('77') })
  await settled()
  expect(state()).toMatchObject({ preview: { after: look('79') } })
})
