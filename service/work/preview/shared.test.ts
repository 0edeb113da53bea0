import { expect, test } from 'vitest'
import { Shared } from './shared.ts'

function setUp() {
  const shared = new Shared()
  const stops: AbortSignal[] = []
  let finish: (value: string) => void = () => {}
  const ask = (abort = new AbortController()) => ({
    abort,
    answer: shared.run('key', abort.signal, stop => {
      stops.push(stop)
      return new Promise<string>(resolve => {
        finish = resolve
      })
    }),
  })
  return { ask, stops, finish: (value: string) => finish(value) }
}

test('work that several callers ask for runs once', async () => {
  const { ask, stops, finish } = setUp()
  const answers = [ask().answer, ask().answer]
  finish('done')
  expect(await Promise.all(answers)).toEqual(['done', 'done'])
  expect(stops).toHaveLength(1)
})

test('the work continues while any caller waits, and is stopped when the last has gone', async () => {
  const { ask, stops } = setUp()
  const [first, second] = [ask(), ask()]
  first.abort.abort(new Error('left'))
  await expect(first.answer).rejects.toThrow('left')
  expect(stops[0]?.aborted).toBe(false)
  second.abort.abort(new Error('left'))
  await expect(second.answer).rejects.toThrow('left')
  expect(stops[0]?.aborted).toBe(true)
})

test('a caller that asks after that starts it again', async () => {
  const { ask, stops, finish } = setUp()
  const first = ask()
  first.abort.abort(new Error('left'))
  await expect(first.answer).rejects.toThrow()
  const { answer } = ask()
  finish('again')
  expect(await answer).toBe('again')
  expect(stops).toHaveLength(2)
})
