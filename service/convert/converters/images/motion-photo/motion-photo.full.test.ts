import { openAsBlob, readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { box, heicOf } from '../../../../../testing/fixtures/heif.ts'
import { make, tool } from '../../../../../testing/fixtures/media.ts'
import { gradient } from '../../../../../testing/fixtures/pixels.ts'
import { makePicture, writePnm } from '../../../../../testing/pictures.ts'
import { withLivePhotos } from '../../../../shared/names/live-photos.ts'
import { factsOf } from '../../../engines/pictures/sharp/facts.ts'

const files = testFiles('motion-photos')
const still = files.path('still.jpg')
const clip = files.path('clip.mp4')

beforeAll(() => {
  writePnm(gradient(96, 64), files.path('a.ppm'))
  makePicture(files.path('a.ppm'), still)
  make(clip, '-f', 'lavfi', '-i', 'testsrc=size=128x96:rate=10:duration=1', '-pix_fmt', 'yuv420p')
})

/** As Google and Samsung write it. */
function motionPhotos(): Record<string, string> {
  const google = files.path('google.jpg')
  tool('exiftool', '-q', '-XMP-GCamera:MicroVideo=1', '-o', google, still)
  const movie = readFileSync(clip)
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

test('the video in a photo becomes one as it is, or an animation', async () => {
  for (const [maker, path] of Object.entries(motionPhotos())) {
    const source = path.endsWith('heic') ? 'heic' : 'jpg'
    expect([maker, (await factsOf(path))?.motionVideo]).toEqual([maker, true])
    const { path: video } = await convertFile(`image.${source}-to-mp4`, path)
    expect(readFileSync(video).equals(readFileSync(clip))).toBe(true)
    if (maker === 'google') continue
    const { path: gif } = await convertFile(`image.${source}-to-gif`, path, { motion: 'film' })
    expect(Number(tool('identify', '-format', '%n,', gif).split(',')[0])).toBeGreaterThan(8)
    const { path: flat } = await convertFile(`image.${source}-to-gif`, path)
    expect(tool('identify', '-format', '%n %w', flat)).toBe('1 96')
  }
  expect(await factsOf(still)).toMatchObject({ motionVideo: false, hdr: false })
  await expect(convertFile('image.jpg-to-mp4', still)).rejects.toMatchObject({
    code: 'jobs.unsupported_input',
  })
})

test('a Live Photo of two files is one photo with a video, which becomes one for everyone', async () => {
  const identifier = '1C1A7A39-0B46-4BF5-9D0F-3A1C0F7D2E55'
  const [movie, jpg] = [files.path('live.mov'), files.path('live.jpg')]
  const named = ['-movflags', 'use_metadata_tags', '-metadata']
  const sound = [
    '-f',
    'lavfi',
    '-i',
    'sine=duration=1',
    '-c:v',
    'copy',
    '-c:a',
    'pcm_s16le',
    '-map',
    '0',
    '-map',
    '1',
  ]
  make(movie, '-i', clip, ...sound, ...named, `com.apple.quicktime.content.identifier=${identifier}`)
  tool('exiftool', '-q', `-Comment=${identifier}`, '-o', jpg, still)
  const heic = files.write(heicOf(gradient(96, 64), { xmp: `<x>${identifier}</x>` }), 'heic')
  for (const [source, picture] of Object.entries({ jpg, heic })) {
    const paths: Record<string, string> = { [`a/1.${source}`]: picture, 'a/1.MOV': movie, 'b/1.mov': movie }
    const open = async (name: string) => openAsBlob(paths[name]!)
    const joined = (name: string, parts: BlobPart[]) => [name, new Blob(parts)] as const
    const found = await withLivePhotos<string | readonly [string, Blob]>(
      Object.keys(paths),
      String,
      name => open(String(name)),
      (name, parts) => joined(String(name), parts),
    )
    expect(found).toEqual([[`a/1.${source}`, expect.any(Blob)], 'b/1.mov'])
    const path = files.write(Buffer.from(await (found[0]![1] as Blob).arrayBuffer()), source)
    expect((await factsOf(path))?.motionVideo).toBe(true)
    const { path: video } = await convertFile(`image.${source}-to-mp4`, path)
    const entries = 'stream=codec_name:format_tags=major_brand'
    const said = tool('ffprobe', '-v', 'error', '-show_entries', entries, '-of', 'csv=p=0', video)
    expect(said.trim().split(/\s+/)).toEqual(['h264', 'aac', 'isom'])
    const { path: gif } = await convertFile(`image.${source}-to-gif`, path, { motion: 'film' })
    expect(Number(tool('identify', '-format', '%n,', gif).split(',')[0])).toBeGreaterThan(8)
  }
})
