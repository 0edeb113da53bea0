import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { makePicture, writePnm } from '../../../../../testing/pictures.ts'
import { convertFile } from '../../../../../testing/samples/convert.ts'
import { box, heicOf } from '../../../../../testing/samples/heif.ts'
import { make, tool } from '../../../../../testing/samples/media.ts'
import { gradient } from '../../../../../testing/samples/pixels.ts'
import { factsOf } from '../../../engines/pictures/sharp/facts.ts'

const files = testFiles('films')
const still = files.path('still.jpg')
const film = files.path('film.mp4')

beforeAll(() => {
  writePnm(gradient(96, 64), files.path('a.ppm'))
  makePicture(files.path('a.ppm'), still)
  make(film, '-f', 'lavfi', '-i', 'testsrc=size=128x96:rate=10:duration=1', '-pix_fmt', 'yuv420p')
})

/** As Google and Samsung write it. */
function motionPhotos(): Record<string, string> {
  const google = files.path('google.jpg')
  tool('exiftool', '-q', '-XMP-GCamera:MicroVideo=1', '-o', google, still)
  const movie = readFileSync(film)
  return {
    google: files.write(Buffer.concat([readFileSync(google), movie]), 'jpg'),
    samsung: files.write(
      Buffer.concat([
        readFileSync(still),
        Buffer.from('MotionPhoto_Data'),
        movie,
        Buffer.from('\0\0\x30\x0aSEFH\x6b\0\0\0SEFT'),
      ]),
      'jpg',
    ),
    heic: files.write(Buffer.concat([heicOf(gradient(96, 64)), box('mpvd', movie)]), 'heic'),
  }
}

test('the film in a photo becomes a video as it is, or an animation', async () => {
  for (const [maker, path] of Object.entries(motionPhotos())) {
    const source = path.endsWith('heic') ? 'heic' : 'jpg'
    expect([maker, (await factsOf(path))?.film]).toEqual([maker, true])
    const { path: video } = await convertFile(`image.${source}-to-mp4`, path)
    expect(readFileSync(video).equals(readFileSync(film))).toBe(true)
    if (maker === 'google') continue
    const { path: gif } = await convertFile(`image.${source}-to-gif`, path, { motion: 'film' })
    expect(Number(tool('identify', '-format', '%n,', gif).split(',')[0])).toBeGreaterThan(8)
    const { path: flat } = await convertFile(`image.${source}-to-gif`, path)
    expect(tool('identify', '-format', '%n %w', flat)).toBe('1 96')
  }
  expect(await factsOf(still)).toMatchObject({ film: false, hdr: false })
  await expect(convertFile('image.jpg-to-mp4', still)).rejects.toMatchObject({
    code: 'jobs.unsupported_input',
  })
})
