import { truncateSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { decode } from '../../../../../testing/pictures.ts'
import { emptyExif, orientedExif } from '../metadata/exif.ts'
import { openPicture } from '../sharp/picture.ts'
import { chunk, hasChunk, readChunks, readLeading, SIGNATURE } from './png.ts'

const files = testFiles('png')

const picture = () =>
  sharp({ create: { width: 16, height: 9, channels: 3, background: '#2080e0' } })
    .png()
    .toBuffer()

test('what comes before the picture data is read alone, and no more than there is', async () => {
  const png = await picture()
  const [header, ...rest] = [...readChunks(png)].map(({ whole }) => whole)
  const before = Buffer.concat([SIGNATURE, header!, chunk('gAMA', Buffer.alloc(4, 1))])
  const path = files.path('a.png')
  writeFileSync(path, Buffer.concat([before, ...rest]))
  const data = (await readLeading(path)).indexOf('IDAT')
  expect([data, (await readLeading(path)).subarray(0, before.length).equals(before)]).toEqual([-1, true])
  expect([await hasChunk(path, 'gAMA'), await hasChunk(path, 'acTL')]).toEqual([true, false])
  // A chunk that says that it is as large as one may be.
  writeFileSync(path, Buffer.concat([before, Buffer.from('7fffffff', 'hex'), Buffer.from('tEXtmore')]))
  expect(await readLeading(path)).toEqual(before)
})

test('the end of a file is searched for EXIF once for each conversion', async () => {
  const png = await picture()
  const chunks = [...readChunks(png)].map(({ whole }) => whole)
  const path = files.path('turned.png')
  const turned = chunk('eXIf', orientedExif(emptyExif(), 6))
  writeFileSync(path, Buffer.concat([SIGNATURE, ...chunks.toSpliced(-1, 0, turned)]))
  const source = { encoded: path }
  expect(await openPicture(source)).toMatchObject({ width: 9, height: 16 })
  writeFileSync(path, png)
  expect(await openPicture(source)).toMatchObject({ width: 9, height: 16 })
  expect(await openPicture({ encoded: path })).toMatchObject({ width: 16, height: 9 })
})

test('a file whose numbers mean sRGB is not read as a whole', async () => {
  const path = files.path('long.png')
  writeFileSync(path, await picture())
  // Node reads no file of 2 GiB at once; nothing of it is on the disk.
  truncateSync(path, 2 ** 31 + 1)
  const { outputs } = await convertFile('image.png-to-jpg', path)
  expect(decode(outputs[0]!.path)).toMatchObject({ width: 16, height: 9 })
})
