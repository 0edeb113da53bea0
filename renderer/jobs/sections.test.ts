import { expect, test } from 'vitest'
import { batchOf } from './batch.ts'
import { sourceLabel } from './JobRow.tsx'
import { zipUrls } from './save.ts'
import { hasOutput, sectionsOf } from './sections.ts'
import { testJob } from './test-job.ts'

const at = (time: string) => `2026-11-20T${time}.000Z`

test('running before queued, finished by their end, latest first', () => {
  const { now, finished } = sectionsOf(
    [
      testJob({ id: 'queued', status: 'Queued', createdAt: at('12:00:01') }),
      testJob({ id: 'running', status: 'Running', createdAt: at('12:00:02') }),
      testJob({ id: 'early', finishedAt: at('12:01:00') }),
      testJob({ id: 'late', status: 'Failed', finishedAt: at('12:02:00') }),
    ],
    null,
  )
  expect(now.map(job => job.id)).toEqual(['running', 'queued'])
  expect(finished.map(job => job.id)).toEqual(['late', 'early'])
})

test('clearing hides what had ended, and nothing that runs', () => {
  const { now, finished } = sectionsOf(
    [
      testJob({ id: 'before', finishedAt: at('12:01:00') }),
      testJob({ id: 'after', finishedAt: at('12:03:00') }),
      testJob({ id: 'running', status: 'Running', createdAt: at('11:00:00') }),
    ],
    at('12:02:00'),
  )
  expect(now.map(job => job.id)).toEqual(['running'])
  expect(finished.map(job => job.id)).toEqual(['after'])
})

test('an output can be had until it expires', () => {
  expect(hasOutput(testJob(), Date.parse(at('13:00:59')))).toBe(true)
  expect(hasOutput(testJob(), Date.parse(at('13:01:01')))).toBe(false)
  expect(hasOutput(testJob({ output: null }), 0)).toBe(false)
})

test('a batch counts what ended since it began, what runs and what waits', () => {
  const done = ['12:00:40', '12:00:30', '12:00:20'].map((time, index) =>
    testJob({ id: `d${index}`, createdAt: at('12:00:00'), finishedAt: at(time) }),
  )
  const earlier = testJob({ id: 'earlier', createdAt: at('11:00:00'), finishedAt: at('11:01:00') })
  const running = testJob({
    id: 'r',
    status: 'Running',
    percent: 0,
    createdAt: at('12:00:00'),
    finishedAt: null,
  })
  const batch = batchOf([running], [...done, earlier], [], Date.parse(at('12:01:00')))
  expect(batch).toEqual({ done: 3, total: 4, left: 20 })
  expect(batchOf([], done, [], Date.parse(at('12:01:00')))).toBeNull()
})

test('many results are saved as several ZIP files, none lost', () => {
  const ids = Array.from({ length: 450 }, (_, index) => `id${index}`)
  const urls = zipUrls(ids)
  expect(urls).toHaveLength(3)
  expect(urls.flatMap(url => new URL(url, 'http://x').searchParams.get('ids')?.split(','))).toEqual(ids)
})

test('a source is called by the suffix of the file', () => {
  expect(sourceLabel({ inputName: 'a.heic', source: 'heic' })).toBe('HEIC')
  expect(sourceLabel({ inputName: 'speech.mp3', source: 'audio' })).toBe('MP3')
  expect(sourceLabel({ inputName: 'no suffix', source: 'pdf' })).toBe('PDF')
})
