import { expect, test } from 'vitest'
import { choice, flag, group, integer } from '../../../../service/convert/catalogue/options.ts'
import type { TargetChoice } from '../../../../service/web/app/types.ts'
import { useUsual } from '../../../forms/usual.ts'
import type { Conversion } from '../../../jobs/conversions.ts'
import { testChoice, testFile, testRow } from '../rows/test/row.ts'
import { commonTarget, labelOf, offersOf, usualTarget } from './choices.ts'
import { batchesOf, filesOf, isPossible, planOf } from './plan.ts'

const transcript = testChoice('pdf', { label: 'PDF', job: 'audio.audio-to-pdf', category: 'audio' })

test('the likely target of a video comes first, then what videos are often converted to', () => {
  const targets = [
    ...['jpg', 'png', 'ogv', 'gif', 'mp4'].map(target => testChoice(target, { category: 'video' })),
    testChoice('mp3', { likely: true }),
  ]
  const offers = offersOf([testRow('v', { file: testFile('v', { targets }) })])
  expect(offers.map(({ choice }) => choice.target)).toEqual(['mp3', 'mp4', 'gif', 'jpg', 'ogv', 'png'])
})

test('what most files can become comes first, then common targets, transcripts last and by name, and unavailable ones are left out', () => {
  const sound = (target: string) => testChoice(target, { category: 'audio' })
  const video = testFile('v', { targets: [sound('wav'), sound('mp3'), transcript] })
  const offers = offersOf([testRow('a'), testRow('b'), testRow('v', { file: video })])
  expect(offers.map(({ choice, files }) => [labelOf(choice), files])).toEqual([
    ['WEBP', 2],
    ['ICO', 2],
    ['MP3', 1],
    ['WAV', 1],
    ['Transcript: PDF', 1],
  ])
})

test('a new file gets the last target of its format, or the likely or only possible one', () => {
  expect(usualTarget(testRow('a'), 'webp')).toBe('webp')
  expect(usualTarget(testRow('a'), 'avif')).toBeNull()
  const single = testFile('a', { targets: [testChoice('webp'), testChoice('avif', { missing: true })] })
  expect(usualTarget({ file: single }, undefined)).toBe('webp')
  const [mp3, mp4] = [testChoice('mp3', { likely: true }), testChoice('mp4', { likely: true })]
  const usual = (...targets: TargetChoice[]) => usualTarget({ file: testFile('a', { targets }) }, 'gone')
  expect(usual(mp3, testChoice('ico'), mp4, testChoice('png'))).toBe('mp4')
  expect(usual(mp3, testChoice('ico'), { ...mp4, missing: true })).toBe('mp3')
})

test('rows share a target, have several, or none', () => {
  const [webp, ico] = [testRow('a', { target: 'webp' }), testRow('b', { target: 'ico' })]
  expect(commonTarget([webp, webp])).toMatchObject({ target: 'webp' })
  expect(commonTarget([webp, ico])).toBe('mixed')
  expect(commonTarget([webp, testRow('c')])).toBe('mixed')
  expect(commonTarget([testRow('c')])).toBeNull()
})

test('there is one batch for each format, target and set of options, with only the changed ones', () => {
  const properties = {
    quality: integer('Quality', { minimum: 1, maximum: 100, default: 82 }),
    metadata: group('Metadata', { strip: flag('Strip', { default: true }) }),
  }
  const schemas = { 'jpg>webp': { type: 'object', properties, additionalProperties: false } } as const
  const gif = testFile('g', { format: 'gif', targets: [testChoice('webp')] })
  const rows = [
    testRow('a', { target: 'webp', options: { quality: 82, metadata: { strip: false } } }),
    // The same options in another object.
    testRow('b', { target: 'webp', options: { quality: 82, metadata: { strip: false } } }),
    testRow('c', { target: 'webp' }),
    testRow('big', { target: 'webp', file: testFile('big', { bytes: 5000 }) }),
    testRow('g', { target: 'webp', file: gif }),
    testRow('undecided'),
    testRow('coming', { intake: 'sending', file: null }),
    testRow('wrong', { target: 'ico', options: {} }),
  ]
  const plan = planOf(rows, schemas, null)
  expect(plan).toMatchObject({
    files: 5,
    credits: 5,
    undecided: ['undecided'],
    coming: ['coming'],
    tooLarge: 1,
    hasProblems: false,
  })
  const destination = { kind: 'keep' } as const
  const planned = batchesOf(plan, schemas, () => destination)
  expect(planned.map(({ rows: own, request }) => [own.map(({ key }) => key), request])).toEqual([
    [
      ['a', 'b'],
      { fileIds: ['a', 'b'], targetFormat: 'webp', options: { metadata: { strip: false } }, destination },
    ],
    [['c'], { fileIds: ['c'], targetFormat: 'webp', destination }],
    [['g'], { fileIds: ['g'], targetFormat: 'webp', destination }],
    [['wrong'], { fileIds: ['wrong'], targetFormat: 'ico', destination }],
  ])
  const broken = planOf([testRow('a', { target: 'webp', options: { quality: 500 } })], schemas, null)
  expect(broken.hasProblems).toBe(true)
  expect([plan, broken, planOf([], {}, null)].map(isPossible)).toEqual([true, false, false])
  expect(filesOf(plan)).toBe(6)
})

test('what is usual in the window is sent with every batch, and is no change', () => {
  const keep = choice(
    'Keep',
    { all: 'All', 'no-place': 'Some', none: 'None' },
    { default: 'none', 'x-usual': 'no-place', 'x-implied': { strip: { true: 'none', false: 'all' } } },
  )
  const properties = { metadata: group('Metadata', { strip: flag('Strip', { default: true }), keep }) }
  const schemas = { 'jpg>webp': { type: 'object', properties, additionalProperties: false } } as const
  const sent = (options: object) => {
    const rows = [testRow('a', { target: 'webp', options: { ...options } })]
    const [batch] = batchesOf(planOf(rows, schemas, null), schemas, () => ({ kind: 'keep' }))
    return [batch?.request.options, batch?.options]
  }
  expect(sent({})).toEqual([{ metadata: { keep: 'no-place' } }, {}])
  expect(sent({ metadata: { keep: 'no-place' } })).toEqual([{ metadata: { keep: 'no-place' } }, {}])
  expect(sent({ metadata: { keep: 'none' } })[0]).toEqual({ metadata: { keep: 'none' } })
  // As it was said before.
  expect(sent({ metadata: { strip: false } })[0]).toEqual({ metadata: { strip: false } })
  useUsual.setState({ metadata: 'all' })
  expect(sent({})).toEqual([{ metadata: { keep: 'all' } }, {}])
  useUsual.setState({ metadata: null })
})

test('converted files are not included, unless something else was chosen for them since', () => {
  const item: Conversion = {
    ...{ id: 'i1', batchId: 'b1', state: 'succeeded', job: null },
    ...{ error: null, savedTo: null, targetLabel: 'WebP' },
  }
  expect(planOf([testRow('a', { target: 'webp', item })], {}, null).files).toBe(0)
  expect(planOf([testRow('a', { target: 'ico', item, needsReconversion: true })], {}, null).files).toBe(1)
})
