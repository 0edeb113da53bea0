import { expect, test } from 'vitest'
import type { FileFacts } from '../../../../service/shared/file-facts.ts'
import type { OptionsSchema } from '../../../api/contract.ts'
import { lossesOf, mayLose } from './losses.ts'
import { testChoice, testFile, testRow } from './test/row.ts'

const schemaOf = (properties: object): OptionsSchema => ({ type: 'object', properties }) as never

const frame = { type: 'integer', title: 'Frame', default: 1 }
const background = { type: 'string', title: 'Background', default: '#ffffff' }
const hdr = { type: 'string', title: 'HDR', enum: ['keep', 'sdr'], default: 'keep' }
const motion = { type: 'string', title: 'Film', enum: ['still', 'film'], default: 'still' }
const audio = {
  type: 'object',
  title: 'Sound',
  properties: { track: { type: 'string', default: 'default' } },
}

const rowWith = (facts: FileFacts, options = {}, target = testChoice('webp')) =>
  testRow('a', { file: testFile('a', { facts, targets: [target] }), target: target.target, options })

test('what is said of a conversion follows from the file and from what its options can choose', () => {
  const animated = rowWith({ frames: 3, alpha: true })
  expect(lossesOf(animated, schemaOf({ frame, background }))).toEqual([
    'Only one frame of the animation',
    'Transparent parts are filled',
  ])
  // The format holds both, and a colour is only used if one is given.
  const { default: _, ...ground } = background
  expect(lossesOf(animated, schemaOf({ background: ground }))).toEqual([])
  const filled = rowWith({ alpha: true }, { background: '#000000' })
  expect(lossesOf(filled, schemaOf({ background: ground }))).toEqual(['Transparent parts are filled'])
  expect(lossesOf(rowWith({ frames: 1, alpha: false }), schemaOf({ frame, background }))).toEqual([])
})

test('HDR and the film of a photo are kept if the options say so, and not where there is no such option', () => {
  const photo = { hdr: true, motionVideo: true }
  expect(lossesOf(rowWith(photo), schemaOf({ hdr, motion }))).toEqual(['Without the film of the photo'])
  expect(lossesOf(rowWith(photo, { motion: 'film' }), schemaOf({ hdr, motion }))).toEqual([])
  expect(lossesOf(rowWith(photo), schemaOf({}))).toEqual(['HDR is lost', 'Without the film of the photo'])
  expect(lossesOf(rowWith({ hdr: true }, { hdr: 'sdr' }), schemaOf({ hdr }))).toEqual(['HDR is lost'])
  // PQ and HLG fit into two formats, whose options keep them.
  const phone = (target: string, options = {}) => rowWith({ hdrCurve: true }, options, testChoice(target))
  expect(lossesOf(phone('jpg'), schemaOf({ hdr }))).toEqual(['HDR is lost'])
  expect(lossesOf(phone('avif'), schemaOf({ hdr }))).toEqual([])
  expect(lossesOf(phone('avif', { hdr: 'sdr' }), schemaOf({ hdr }))).toEqual(['HDR is lost'])
  const video = rowWith(photo, {}, testChoice('mp4'))
  expect(lossesOf(video, schemaOf({}))).toEqual([])
})

test('more than 8 bits are lost where a format has no more, or the options say so', () => {
  const bitDepth = { type: 'string', title: 'Bits', enum: ['source', '8', '16'], default: 'source' }
  const to = (target: string, options = {}) => rowWith({ highBitDepth: true }, options, testChoice(target))
  expect(lossesOf(to('webp'), schemaOf({}))).toEqual(['Only 8 bits per channel'])
  expect(lossesOf(to('png', { bitDepth: '8' }), schemaOf({ bitDepth }))).toEqual(['Only 8 bits per channel'])
  expect(lossesOf(to('png'), schemaOf({ bitDepth }))).toEqual([])
  expect(lossesOf(to('avif'), schemaOf({}))).toEqual([])
})

test('of several sound tracks it is said how many are left out; nothing is said before the options are known', () => {
  const lecture = rowWith({ audioTracks: 3 })
  expect(lossesOf(lecture, schemaOf({ audio }))).toEqual(['2 sound tracks are left out'])
  expect(lossesOf(lecture, schemaOf({}))).toEqual([])
  expect(lossesOf(lecture, 'loading')).toEqual([])
  expect([{}, { audioTracks: 1 }, { alpha: true }].map(facts => mayLose(rowWith(facts)))).toEqual([
    ...[false, false, true],
  ])
})
