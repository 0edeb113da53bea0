import { expect, test } from 'vitest'
import { useUsual } from '../../../forms/usual.ts'
import type { Conversion } from '../../../jobs/conversions.ts'
import { testJob } from '../../../jobs/test/job.ts'
import { factsOf, ownFactsOf } from './facts.ts'
import { testFile, testRow } from './test/row.ts'

test('what is wrong with a file is said until the password that it needs was given', () => {
  const problem = 'The PDF is password-protected.'
  const row = testRow('a', { file: testFile('a', { problem }), problem })
  expect(factsOf(row)).toEqual({ text: problem, tone: 'attention' })
  expect(factsOf({ ...row, options: { password: '' } }).text).toBe(problem)
  expect(ownFactsOf(row)).toBe('JPEG')
  expect(factsOf({ ...row, options: { password: 'secret' } }).text).toBe('JPEG')
})

test('camera, date and place of a photo stand on its row, with what its result will not have', () => {
  const facts = { camera: 'iPhone 12', taken: '2021-05-03T10:00:00', place: '48.8584, 2.2945' }
  const row = testRow('a', { file: testFile('a', { facts }), target: 'webp' })
  const shown = (options: object) =>
    factsOf({ ...row, options: { ...options } })
      .text.split(' · ')
      .slice(1)
  const own = ['iPhone 12', 'May 3, 2021']
  expect(shown({})).toEqual(['48.8584, 2.2945 (is removed)', ...own])
  expect(shown({ metadata: { keep: 'all' } })).toEqual(['48.8584, 2.2945', ...own])
  expect(shown({ metadata: { strip: false } })).toEqual(['48.8584, 2.2945', ...own])
  expect(shown({ metadata: { keep: 'none' } }).join(' · ')).toBe(
    '48.8584, 2.2945 · iPhone 12 · May 3, 2021 (are removed)',
  )
  useUsual.setState({ metadata: 'all' })
  expect(shown({})).toEqual(['48.8584, 2.2945', ...own])
  useUsual.setState({ metadata: null })
})

test('a row says why a file failed, what to know of its result, or where that was saved', () => {
  const item = (over: Partial<Conversion>): Conversion => ({
    ...{ id: 'i', batchId: 'b', state: 'succeeded', error: null, savedTo: null, targetLabel: 'WebP' },
    job: testJob(),
    ...over,
  })
  const error = { code: 'convert.damaged', detail: 'The file is damaged.' }
  const warned = item({ job: testJob({ warnings: ['Colours were lost.'] }), savedTo: '/out/a.webp' })
  const row = (item: Conversion) => testRow('a', { target: 'webp', item })
  expect(factsOf(row(item({ state: 'failed', error })))).toEqual({ text: error.detail, tone: 'danger' })
  expect(factsOf(row(warned))).toEqual({ text: 'Colours were lost.', tone: 'attention' })
  expect(factsOf(row(item({ savedTo: '/out/a.webp' })))).toEqual({ text: '/out/a.webp', isWide: true })
  // Nothing of it holds for what it becomes next.
  expect(factsOf({ ...row(warned), needsReconversion: true })).toEqual({ text: 'JPEG' })
})
