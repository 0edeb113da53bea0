import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { output } from '../../../../../testing/fixtures/programs.ts'
import { emf, type Filled, placeable, wmf } from '../../../../../testing/metafiles.ts'
import { stop } from '../../../engines/documents/office/engine.ts'

const files = testFiles('metafiles')
afterAll(stop)

const shapes: Filled[] = [
  { box: [0, 0, 1000, 500], color: [200, 30, 40] },
  { box: [1000, 0, 2000, 500], color: [20, 60, 180] },
  { box: [0, 500, 1000, 1000], color: [200, 30, 40] },
]

/** Colours in the middles of the quarters, as ImageMagick decodes the picture. */
function quarters(path: string): string[] {
  const middles = output('convert', [path, '-depth', '8', '-sample', '2x2!', 'rgb:-'])
  return Array.from({ length: 4 }, (_, index) => middles.subarray(index * 3, index * 3 + 3).join())
}

describe('Windows metafiles', () => {
  test.each([
    ['emf', emf(shapes)],
    ['emf', gzipSync(emf(shapes))],
    ['wmf', placeable(wmf(shapes), 1000)],
    ['wmf', wmf(shapes)],
  ] as const)('%s is drawn', async (format, bytes) => {
    const { path, warnings } = await convertFile(`image.${format}-to-png`, files.write(bytes, format))
    expect(quarters(path)).toEqual(['200,30,40', '20,60,180', '200,30,40', '255,255,255'])
    expect(warnings).toEqual([])
  })

  test('is as large as it says, at 144 pixels an inch, and resized as others', async () => {
    const emfPath = files.write(emf(shapes), 'emf')
    const sizeOf = (path: string) => output('identify', ['-format', '%w %h', path]).toString()
    expect(sizeOf((await convertFile('image.emf-to-jpg', emfPath)).path)).toBe('113 57')
    const resize = { enabled: true, mode: 'pixels', preset: 'custom', value: 50 }
    expect(sizeOf((await convertFile('image.emf-to-webp', emfPath, { resize })).path)).toBe('50 25')
  })

  test.each([
    ['without a drawing', emf([])],
    ['that is none', Buffer.from('no metafile '.repeat(50))],
  ])('a file %s is refused', async (_, bytes) => {
    await expect(convertFile('image.emf-to-png', files.write(bytes, 'emf'))).rejects.toMatchObject({
      code: 'jobs.corrupt_input',
    })
  })
})
