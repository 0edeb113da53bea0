import { expect, test } from 'vitest'
import { Catalogue } from '../../convert/catalogue/catalogue.ts'
import { isFormatKey } from '../../convert/catalogue/formats.ts'
import { validateOptions } from '../../convert/catalogue/schema.ts'
import { converters } from '../../convert/converters/index.ts'
import { builtInPresets } from './built-in.ts'

const catalogue = new Catalogue(converters)

const choices = builtInPresets.flatMap(({ id, choices: own }) =>
  Object.entries(own).map(([source, choice]) => ({ id, source, ...choice })),
)

test.each(choices)('$id: $source becomes $target with options that exist', ({ source, target, options }) => {
  expect(isFormatKey(source)).toBe(true)
  const found = catalogue.resolve(source, target)
  if (found.kind !== 'found') throw new Error(`there is no conversion from ${source} to ${target}`)
  expect(found.edge.targetKey).toBe(target)
  expect(validateOptions(found.edge, options)).not.toHaveProperty('problem')
})

test('smaller files keep their format', () => {
  const { choices: own } = builtInPresets.find(({ id }) => id === 'smaller')!
  for (const [source, { target }] of Object.entries(own)) expect(target).toBe(source)
  // A TIFF is packed without loss already, and a fax better than anything else.
  const same = converters.filter(
    ({ extension, source, target }) => extension && source === target && source !== 'tiff',
  )
  expect(Object.keys(own).toSorted()).toEqual(same.map(({ source }) => source).toSorted())
})

test('every recording that can become text has a transcript preset', () => {
  const { choices: own } = builtInPresets.find(({ id }) => id === 'transcript')!
  const { sources } = converters.find(({ job }) => job === 'audio.audio-to-txt')!
  expect(Object.keys(own).toSorted()).toEqual(sources.filter(source => source !== 'audio').toSorted())
})

test('every video can become a GIF', () => {
  const { choices: own } = builtInPresets.find(({ id }) => id === 'gif')!
  const videos = converters.filter(({ category, target }) => category === 'video' && target === 'gif')
  expect(Object.keys(own).toSorted()).toEqual(videos.map(({ source }) => source).toSorted())
})
