import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { shippedPackages } from '../shipped.ts'
import { notices, noticesFile } from './notices.ts'

/** Licences that require nothing but the notice, or nothing at all. */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
])

/** Packages under other licences, and why they may be shipped. */
const exceptions: Record<string, string> = {
  '@img/sharp-*': 'LGPL on Windows and in WebAssembly: libvips as a library that may be replaced',
  '@img/sharp-libvips-*': 'LGPL: libvips as a shared library that may be replaced',
  'libheif-js': 'LGPL: a WebAssembly module that may be replaced',
  '@expo-google-fonts/nanum-gothic': 'OFL: a font, shipped as it is',
  '@expo-google-fonts/noto-emoji': 'OFL: a font, shipped as it is',
  '@expo-google-fonts/noto-sans-sc': 'OFL: a font, shipped as it is',
  '@fontsource-variable/inter': 'OFL: a font, shipped as it is',
  '@matbee/libreoffice-converter': 'MPL: LibreOffice as a WebAssembly module that may be replaced',
  '@resvg/resvg-js': 'MPL: its own files are unchanged',
  '@resvg/resvg-js-*': 'MPL: its own files are unchanged',
}

/** The licences of an expression that all apply; of alternatives (`OR`), a permissive one is chosen. */
const words = (expression: string): string[] => {
  const alternatives = expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .map(alternative => alternative.split(' AND '))
  const taken = alternatives.find(all => all.every(word => permissive.has(word)))
  return taken ?? alternatives.flat()
}
const packages = shippedPackages()

describe('third-party notices', () => {
  test('the committed file is up to date (npm run notices)', () => {
    expect(readFileSync(noticesFile, 'utf8')).toBe(notices())
  })

  test('covers what the service loads, what the page and the texts bundle, and what is only installed on other platforms', () => {
    const names = packages.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        'fastify',
        'sharp',
        'react',
        '@mantine/core',
        'intl-messageformat',
        '@img/sharp-*',
      ]),
    )
    expect(names).not.toContain('vitest')
    expect(names.filter(name => /darwin|win32|linux/.test(name))).toEqual([])
  })

  test('every package is permissive or an exception with a reason', () => {
    const others = packages.filter(
      ({ licences }) => !licences.flatMap(words).every(word => permissive.has(word)),
    )
    expect(others.map(({ name }) => name).toSorted()).toEqual(Object.keys(exceptions).toSorted())
  })

  test('nothing is under GPL or AGPL: ffmpeg is a separate program and no package', () => {
    const strong = packages.filter(({ licences }) =>
      licences.flatMap(words).some(word => /^A?GPL/.test(word)),
    )
    expect(strong).toEqual([])
  })
})
