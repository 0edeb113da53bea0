/** Videos and pictures made of videos look like their source, whatever they say of their colours. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { bundled } from '../../../../testing/bundle.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { make, mediaFolder, once, tool } from '../../../../testing/fixtures/media.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)

/** As high as videos are of whose height players tell the matrix; narrow, since all pixels of a half are alike. */
const HD = '240x720'
const SD = '80x240'
/** The colours of the left and the right half. */
const HALVES = [
  [0xc8, 0x3c, 0x28],
  [0x28, 0xa0, 0x3c],
]
/** What a lossy codec and its 8 bits may change. */
const TOLERANCE = 6

const halves = (size: string) =>
  `color=0xc83c28:s=${size}:r=5:d=0.6,format=rgb24,drawbox=x=iw/2:w=iw/2:color=0x28a03c:t=fill`
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '8']
const named = (matrix: string, range: string) => [
  ...['-colorspace', matrix, '-color_primaries', matrix, '-color_trc', matrix, '-color_range', range],
]

/** A video in a matrix and a range, which it may name. */
const video = (name: string, size: string, [matrix, range]: [string, string], names: readonly string[]) =>
  make(
    at(name),
    ...[
      '-f',
      'lavfi',
      '-i',
      `${halves(size)},scale=out_color_matrix=${matrix}:out_range=${range},format=yuv420p`,
    ],
    ...[...h264, ...names],
  )

beforeAll(() => {
  video('hd.mp4', HD, ['bt709', 'tv'], named('bt709', 'tv'))
  video('silent-hd.mp4', HD, ['bt709', 'tv'], [])
  video('sd.mp4', SD, ['bt601', 'tv'], named('smpte170m', 'tv'))
  video('silent-sd.mp4', SD, ['bt601', 'tv'], [])
  video('phone.mp4', HD, ['bt601', 'pc'], named('smpte170m', 'pc'))
  make(at('screen.avi'), '-f', 'lavfi', '-i', halves(HD), '-c:v', 'rawvideo', '-pix_fmt', 'bgr24')
})

/** The colours of both halves as players show them, who go by the size of a video that does not name its matrix. */
const shown = (path: string, time = 0): number[][] =>
  once(path, `colours at ${time}`, () => colours(path, time))

function colours(path: string, time: number): number[][] {
  const pixels = path.endsWith('.webp')
    ? execFileSync('convert', [`${path}[0]`, '-scale', '4x1!', '-depth', '8', 'rgb:-'])
    : execFileSync('ffmpeg', [
        ...['-v', 'error', '-ss', String(time), '-i', path, '-frames:v', '1'],
        ...[
          '-vf',
          `scale=in_color_matrix=${matrixOf(path)},format=rgb24,crop=iw:8:0:(ih-8)/2,scale=4:1:flags=area`,
        ],
        ...['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'],
      ])
  return [pixels, pixels.subarray(9)].map(([red, green, blue]) => [red!, green!, blue!])
}

/** What the file says, or else what players assume of its size. */
const matrixOf = (path: string): string => once(path, 'matrix', () => matrix(path))

function matrix(path: string): string {
  const entries = ['-select_streams', 'v:0', '-show_entries', 'stream=height,color_space', '-of', 'csv=p=0']
  const [height, own = 'unknown'] = tool('ffprobe', '-v', 'error', ...entries, path)
    .trim()
    .split(',')
  return own === 'unknown' || own === '' ? (Number(height) >= 720 ? 'bt709' : 'bt601') : 'auto'
}

const close = (colours: number[][]) =>
  colours.every((colour, half) =>
    colour.every((value, at) => Math.abs(value - HALVES[half]![at]!) <= TOLERANCE),
  )

describe('colours', () => {
  const videos: [name: string, target: string, options: Record<string, unknown>][] = [
    ['hd.mp4', 'webp', {}],
    ['phone.mp4', 'webp', {}],
    ['silent-hd.mp4', 'png', {}],
    ['silent-hd.mp4', 'gif', {}],
    ['silent-hd.mp4', 'mp4', { video: { resolution: '480p' } }],
    ['silent-sd.mp4', 'webm', {}],
    ['screen.avi', 'mp4', {}],
  ]
  it.each(videos)('%s as %s', async (name, target, options) => {
    expect(close(shown(at(name)))).toBe(true)
    const { path } = await convertFile(`video.${name.split('.').pop()}-to-${target}`, at(name), options)
    expect(shown(path)).toSatisfy(close)
  })

  test('of videos that become one stay those of each', async () => {
    const names = ['sd.mp4', 'silent-hd.mp4', 'phone.mp4', 'hd.mp4', 'screen.avi']
    const { path } = await convertFile('video.videos-to-mp4', await bundled(at('all'), names.map(at)))
    for (const index of names.keys()) expect(shown(path, index * 0.6 + 0.3)).toSatisfy(close)
  })
})

test('what HDR10 tells of the light stays where the picture is encoded again', async () => {
  const display = 'master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)'
  const bt2020 = 'colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc'
  const picture = 'testsrc2=s=128x96:r=24:d=0.5,format=yuv420p10le'
  const x265 = ['-c:v', 'libx265', '-x265-params', `log-level=error:${bt2020}:${display}:max-cll=1000,400`]
  const source = make(at('light.mkv'), '-f', 'lavfi', '-i', picture, ...x265)
  const tries: [target: string, video: object][] = [
    ['mp4', { codec: 'h265', quality: 50 }],
    ['mkv', { codec: 'h265', targetSize: 0.02 }],
    ['mkv', { codec: 'av1', quality: 50 }],
  ]
  const fields = ['Color_Primaries', 'Luminance'].map(name => `%MasteringDisplay_${name}%`)
  const light = `--Inform=Video;${[...fields, '%MaxCLL%', '%MaxFALL%'].join('|')}`
  for (const [target, video] of tries) {
    const { path } = await convertFile(`video.mkv-to-${target}`, source, { video })
    expect(tool('mediainfo', light, path)).toBe(tool('mediainfo', light, source))
    expect(tool('mediainfo', light, path)).toMatch(/max: 1000 cd\/m2\|1000/)
  }
})
