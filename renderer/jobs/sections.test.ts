import { expect, test } from 'vitest'
import { sourceLabel } from './JobRow.tsx'
import { zipUrls } from './save.ts'
import { hasOutput, sectionsOf } from './sections.ts'
import { testBatch, testCounts } from './test-batch.ts'
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
    [],
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
    [],
    at('12:02:00'),
  )
  expect(now.map(job => job.id)).toEqual(['running'])
  expect(finished.map(job => job.id)).toEqual(['after'])
})

test('jobs of a batch are shown with it, those of a batch of one file by themselves', () => {
  const sections = sectionsOf(
    [
      testJob({ id: 'of-open', batchId: 'open', status: 'Running' }),
      testJob({ id: 'of-single', batchId: 'single' }),
      testJob({ id: 'of-forgotten', batchId: 'forgotten' }),
      testJob({ id: 'of-cleared', batchId: 'cleared' }),
    ],
    [
      testBatch({ id: 'open', counts: testCounts({ running: 1, waiting: 4 }) }),
      testBatch({ id: 'single', state: 'done', counts: testCounts({ succeeded: 1 }) }),
      testBatch({ id: 'single-waiting', counts: testCounts({ waiting: 1 }) }),
      testBatch({ id: 'done', state: 'done', finishedAt: at('12:03:00') }),
      testBatch({ id: 'cleared', state: 'done', finishedAt: at('12:00:30') }),
    ],
    at('12:00:40'),
  )
  const ids = (cards: typeof sections.openBatches) =>
    cards.map(({ batch, jobs }) => [batch.id, ...jobs.map(job => job.id)])
  expect(ids(sections.openBatches)).toEqual([['open', 'of-open'], ['single-waiting']])
  expect(ids(sections.finishedBatches)).toEqual([['done']])
  expect(sections.finished.map(job => job.id).toSorted()).toEqual(['of-forgotten', 'of-single'])
})

test('an output can be had until it expires', () => {
  expect(hasOutput(testJob(), Date.parse(at('13:00:59')))).toBe(true)
  expect(hasOutput(testJob(), Date.parse(at('13:01:01')))).toBe(false)
  expect(hasOutput(testJob({ output: null }), 0)).toBe(false)
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
