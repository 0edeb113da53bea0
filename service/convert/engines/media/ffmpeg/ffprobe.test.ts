/** ffprobe's data and ffmpeg's log tell the same, so that a build without ffprobe does the same with a file. */
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { few, isFull } from '../../../../../testing/fixtures/full.ts'
import { corpus, hasCorpus, make, mediaFolder } from '../../../../../testing/fixtures/media.ts'
import { described } from './description.ts'
import { probed } from './ffprobe.ts'
import type { MediaInfo, PictureTrack } from './recording.ts'
import { inputArguments } from './run.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)

/** The log rounds times and rates. */
const rounded = (value: number | null) => value && Math.round(value * 20) / 20
const plain = (picture: PictureTrack) => ({
  ...picture,
  fps: rounded(picture.fps),
  grid: rounded(picture.grid),
  rotation: Math.round(picture.rotation),
  pixelAspect: rounded(picture.pixelAspect),
})
// The log's tags come through a muxer, which adds its own name.
const comparable = ({ tags, ...media }: MediaInfo) => ({
  ...media,
  tags: Object.fromEntries(Object.entries(tags).filter(([name]) => !name.startsWith('encoder'))),
  seconds: rounded(media.seconds),
  picture: media.picture && plain(media.picture),
  otherPictures: media.otherPictures.map(plain),
  chapters: media.chapters.map(({ start, end, title }) => ({ title, times: [start, end].map(rounded) })),
})

async function compare(path: string) {
  const data = await probed(inputArguments(path, {}))
  const read = await described(path, {}).catch(() => null)
  expect(data && comparable(data), path).toEqual(read && comparable(read))
  return data
}

beforeAll(() => {
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=30000/1001:d=0.3']
  const sound = ['-f', 'lavfi', '-i', 'sine=d=0.3']
  make(
    at('several.mkv'),
    ...[...picture, ...sound, '-map', '0', '-map', '1', '-map', '1', '-c:a:0', 'aac', '-c:a:1', 'flac'],
    ...[
      '-c:v',
      'libx264',
      '-x264opts',
      'tff=1',
      '-flags',
      '+ildct+ilme',
      '-vf',
      'tinterlace=interleave_top,fieldorder=tff,setsar=16/15',
      '-pix_fmt',
      'yuv420p',
    ],
    ...['-colorspace', 'smpte170m', '-metadata:s:a:1', 'language=pt-BR', '-metadata:s:a:1', 'title=a): b'],
    ...['-sample_fmt:a:1', 's32', '-metadata', 'title=a;b=c#\\\n[STREAM]', '-ac:a:0', '6'],
    ...['-metadata', 'creation_time=2021-05-06T07:08:09Z'],
  )
  make(
    at('late.mkv'),
    '-itsoffset',
    '0.7',
    ...sound,
    '-c:a',
    'flac',
    '-avoid_negative_ts',
    'disabled',
    '-copyts',
  )
  if (!isFull) return
  make(
    at('hdr.mp4'),
    ...[...picture, ...sound, '-pix_fmt', 'yuv420p10le', '-c:v', 'libx265', '-metadata:s:v', 'rotate=90'],
    ...['-x265-params', 'log-level=0:transfer=arib-std-b67:colorprim=bt2020:colormatrix=bt2020nc'],
  )
  make(at('swapped.mov'), ...picture, '-c:v', 'prores_ks', '-flags', '+ildct+ilme', '-field_order', 'tb')
  make(at('bare.aac'), ...sound, '-c:a', 'aac')
})

const files: [name: string, found: object][] = [
  ['late.mkv', { start: 0.7 }],
  ['several.mkv', { picture: { interlaced: true, matrix: 'smpte170m', fps: 15_000 / 1001 } }],
  ['hdr.mp4', { picture: { hdr: true, matrix: 'bt2020nc', pixelFormat: 'yuv420p10le' } }],
  ['swapped.mov', { picture: { interlaced: true, codec: 'prores' } }],
  ['bare.aac', { estimated: true }],
]
it.each(few(2, files))('of %s', async (name, found) => {
  expect(await compare(at(name))).toMatchObject(found)
})

it.runIf(hasCorpus)('of what programs have written', async () => {
  const kinds = 'aac ac3 aiff avi flac flv m4a m4b mkv mov mp3 mp4 mpg ogg ogv opus ts wav webm wma wmv'
  for (const path of kinds.split(' ').flatMap(corpus)) await compare(path)
})
