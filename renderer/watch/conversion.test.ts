import { expect, test } from 'vitest'
import { patternOf, sourcesOf, targetsOf } from './conversion.ts'

const conversion = { category: 'images', costing: {} as never }
const edge = (source: string, target: string) => ({
  targetFormat: target,
  job: `images.${source}-to-${target}`,
})
const catalogue = {
  conversions: [
    { ...conversion, job: 'images.jpg-to-webp', inputFormats: ['jpg', 'jpeg'] },
    { ...conversion, job: 'images.heic-to-jpg', inputFormats: ['heic'] },
    { ...conversion, job: 'images.tar-gz-to-zip', inputFormats: ['tar.gz'] },
  ],
  sourceFormatTo: {
    jpg: [edge('jpg', 'webp')],
    heic: [edge('heic', 'jpg'), edge('heic', 'avif')],
    'tar-gz': [edge('tar-gz', 'zip')],
  },
}

test('the targets are those of the kind of files, or all of them', () => {
  expect(sourcesOf(catalogue)).toEqual(['heic', 'jpg', 'tar-gz'])
  expect(targetsOf(catalogue, 'heic')).toEqual(['avif', 'jpg'])
  expect(targetsOf(catalogue, null)).toEqual(['avif', 'jpg', 'webp', 'zip'])
  expect(targetsOf(null, 'heic')).toEqual([])
})

test('the pattern has every ending of the kind of files', () => {
  expect(patternOf(catalogue, 'jpg')).toBe('*.{jpg,jpeg}')
  expect(patternOf(catalogue, 'heic')).toBe('*.heic')
  expect(patternOf(catalogue, 'tar-gz')).toBe('*.tar.gz')
  expect(patternOf(catalogue, null)).toBe('*')
})
