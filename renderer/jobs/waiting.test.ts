import { expect, test, vi } from 'vitest'
import type { AppJob, NewJob } from '../../service/app/types.ts'
import { ApiError } from '../api/errors.ts'
import { testJob } from './test-job.ts'
import { createWaitingStore, places, type WaitingItem } from './waiting.ts'

const item = (id: string): WaitingItem => ({
  id,
  name: `${id}.heic`,
  bytes: 1000,
  category: 'images',
  targetLabel: 'JPEG',
  credits: 1,
  request: { fileId: id, targetFormat: 'jpg' },
  problem: null,
})

const items = (count: number) => Array.from({ length: count }, (_, index) => item(`f${index}`))

/** A service that takes what it is told to, a clock that stands still, and timers run by hand. */
function setUp(answer: (job: NewJob) => Promise<AppJob>) {
  const state = { active: 0, now: 0, timers: [] as { run: () => void; at: number }[] }
  const submit = vi.fn(answer)
  const store = createWaitingStore({
    submit,
    activeJobs: () => state.active,
    accepted: () => {
      state.active++
    },
    now: () => state.now,
    later: (run, ms) => state.timers.push({ run, at: state.now + ms }),
  })
  const settle = async () => {
    for (let turn = 0; turn < 200; turn++) await Promise.resolve()
  }
  const advance = async (seconds: number) => {
    state.now += seconds * 1000
    const due = state.timers.filter(timer => timer.at <= state.now)
    state.timers = state.timers.filter(timer => timer.at > state.now)
    for (const timer of due) timer.run()
    await settle()
  }
  return { store, submit, state, settle, advance }
}

const accept = async (job: NewJob) => testJob({ id: job.fileId, status: 'Queued' })

test('hands over as many as there are places and keeps the rest, in order', async () => {
  const { store, submit, settle } = setUp(accept)
  store.getState().add(items(40))
  await settle()
  expect(submit).toHaveBeenCalledTimes(places)
  expect(store.getState().items.map(each => each.id)).toEqual(
    items(40)
      .slice(places)
      .map(each => each.id),
  )
})

test('goes on by exactly as many as have ended', async () => {
  const { store, submit, state, settle } = setUp(accept)
  store.getState().add(items(40))
  await settle()
  state.active -= 2
  store.getState().pump()
  await settle()
  expect(submit).toHaveBeenCalledTimes(places + 2)
})

test('counts jobs that others started', async () => {
  const { store, submit, state, settle } = setUp(accept)
  state.active = places - 1
  store.getState().add(items(5))
  await settle()
  expect(submit).toHaveBeenCalledTimes(1)
})

test('never has more than three requests under way', async () => {
  let open = 0
  let most = 0
  const { store, settle } = setUp(async job => {
    most = Math.max(most, ++open)
    await Promise.resolve()
    open--
    return accept(job)
  })
  store.getState().add(items(12))
  await settle()
  expect(most).toBe(3)
})

test('after 429 waits as long as it is told, without asking in between, and loses nothing', async () => {
  let full = true
  const { store, submit, settle, advance } = setUp(job =>
    full ? Promise.reject(new ApiError(429, 'queue.limit_exceeded', null, 7)) : accept(job),
  )
  store.getState().add([item('a')])
  await settle()
  for (let index = 0; index < 10; index++) store.getState().pump()
  await advance(6)
  expect(submit).toHaveBeenCalledTimes(1)
  expect(store.getState().items).toMatchObject([{ id: 'a', problem: null }])
  full = false
  await advance(1)
  expect(submit).toHaveBeenCalledTimes(2)
  expect(store.getState().items).toEqual([])
})

test('stops when credits run out and goes on when there are some', async () => {
  let poor = true
  const { store, submit, settle } = setUp(job =>
    poor ? Promise.reject(new ApiError(402, 'entitlements.insufficient_credits')) : accept(job),
  )
  store.getState().add([item('a')])
  await settle()
  store.getState().pump()
  expect(store.getState().outOfCredits).toBe(true)
  expect(submit).toHaveBeenCalledTimes(1)
  poor = false
  store.getState().resume()
  await settle()
  expect(store.getState()).toMatchObject({ items: [], outOfCredits: false })
})

test('a refused file stays with its reason and does not hold up the others', async () => {
  const { store, settle } = setUp(job =>
    job.fileId === 'bad'
      ? Promise.reject(new ApiError(400, 'request.no_files', 'This file is not here any more.'))
      : accept(job),
  )
  store.getState().add([item('bad'), item('good')])
  await settle()
  expect(store.getState().items).toMatchObject([{ id: 'bad', problem: 'This file is not here any more.' }])
})

test('tries again after the service could not be reached', async () => {
  let down = true
  const { store, submit, settle, advance } = setUp(job =>
    down ? Promise.reject(new ApiError(0, 'client.unreachable')) : accept(job),
  )
  store.getState().add([item('a')])
  await settle()
  down = false
  await advance(5)
  expect(submit).toHaveBeenCalledTimes(2)
  expect(store.getState().items).toEqual([])
})
