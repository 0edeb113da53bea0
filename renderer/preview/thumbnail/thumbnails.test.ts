import { expect, test, vi } from 'vitest'
import type { ViewedFile } from '../../../service/web/app/types.ts'
import type { ThumbnailAnswer } from '../client.ts'
import { Thumbnails, type ThumbnailUrl } from './thumbnails.ts'

const file = (id: string): ViewedFile => ({ kind: 'staged', id })
const picture: ThumbnailAnswer = { kind: 'picture', picture: new Blob(['x']) }

function setUp() {
  const asked: { id: string; signal: AbortSignal; answer: (answer: ThumbnailAnswer) => void }[] = []
  const thumbnails = new Thumbnails({
    client: {
      thumbnail: ({ id }, _edge, signal) =>
        new Promise(answer => {
          asked.push({ id, signal, answer })
        }),
    },
    edge: 48,
    toUrl: () => 'blob:1',
    freeUrl: () => {},
  })
  return { thumbnails, asked, ids: () => asked.map(({ id }) => id) }
}

const settled = () => new Promise(resolve => setImmediate(resolve))

test('two are requested at once, and the most recently visible ones first', async () => {
  const { thumbnails, asked, ids } = setUp()
  for (const id of ['a', 'b', 'c', 'd']) thumbnails.watch(file(id), () => {})
  expect(ids()).toEqual(['a', 'b'])
  asked[0]?.answer(picture)
  await settled()
  expect(ids()).toEqual(['a', 'b', 'd'])
})

test('one that is no longer visible is not requested, or is aborted', () => {
  const { thumbnails, asked, ids } = setUp()
  const leave = ['a', 'b', 'c'].map(id => thumbnails.watch(file(id), () => {}))
  for (const stop of leave) stop()
  expect(ids()).toEqual(['a', 'b'])
  expect(asked.every(({ signal }) => signal.aborted)).toBe(true)
})

test('everybody who watches a file is notified once, and later ones at once', async () => {
  const { thumbnails, asked } = setUp()
  const reported: ThumbnailUrl[] = []
  thumbnails.watch(file('a'), shown => reported.push(shown))
  thumbnails.watch(file('a'), shown => reported.push(shown))
  asked[0]?.answer(picture)
  await settled()
  thumbnails.watch(file('a'), shown => reported.push(shown))
  expect(reported).toEqual(['blob:1', 'blob:1', 'blob:1'])
  expect(asked).toHaveLength(1)
})

test('while conversions have priority it is requested again later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { thumbnails, asked } = setUp()
  thumbnails.watch(file('a'), () => {})
  asked[0]?.answer({ kind: 'later', seconds: 2 })
  await settled()
  expect(asked).toHaveLength(1)
  vi.advanceTimersByTime(2000)
  expect(asked).toHaveLength(2)
  vi.useRealTimers()
})
