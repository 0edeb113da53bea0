import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { make, mediaFolder } from '../../../../testing/fixtures/media.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '10', '-pix_fmt', 'yuv420p']

beforeAll(() => {
  // A dark beginning, a picture with red on its left and blue on its right between bars, and a dark end.
  const scene =
    'color=red:s=80x60:r=10:d=2[l];color=blue:s=80x60:r=10:d=2,split[r][n];[l][r]hstack[p];[n]nullsink;'
  const graph = `${scene}[p]fade=in:0:5,fade=out:15:5,pad=160:120:0:30:black[out]`
  make(at('bars.mp4'), '-filter_complex', graph, '-map', '[out]', ...h264)
  make(at('turned.mp4'), '-i', at('bars.mp4'), '-c', 'copy', '-metadata:s:v', 'rotate=90')
  make(at('plain.mp4'), '-f', 'lavfi', '-i', 'testsrc2=s=160x120:r=10:d=1', ...h264)
})

/** Size of the picture, and the colours in the middle of its left and right half after a second. */
function seen(path: string) {
  const [width = 0, height = 0] = execFileSync('ffprobe', [
    ...[
      '-v',
      'error',
      '-select_streams',
      'v:0',
      '-show_entries',
      'stream=width,height',
      '-of',
      'csv=p=0',
      path,
    ],
  ])
    .toString()
    .split(',')
    .map(Number)
  const frame = ['-ss', '1', '-i', path, '-frames:v', '1', '-vf', 'format=rgb24,scale=2:1:flags=area']
  const pixels = execFileSync('ffmpeg', ['-v', 'error', ...frame, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'])
  const isLit = (offset: number) => [...pixels.subarray(offset, offset + 3)].map(value => value > 180)
  return { width, height, left: isLit(0), right: isLit(3) }
}

const RED = [true, false, false]
const BLUE = [false, false, true]

test.each(['mp4', 'mkv', 'gif'])('black bars of the whole video are cut off for %s', async target => {
  const options = { crop: { mode: 'auto' } }
  const { path, warnings } = await convertFile(`video.mp4-to-${target}`, at('bars.mp4'), options)
  expect(warnings).toEqual([])
  expect(seen(path)).toEqual({ width: 160, height: 60, left: RED, right: BLUE })
})

test('a part in pixels is that of the upright picture', async () => {
  const crop = { left: 0, top: 30, width: 81, height: 60 }
  expect(seen((await convertFile('video.mp4-to-mp4', at('bars.mp4'), { crop })).path)).toEqual({
    ...{ width: 80, height: 60, left: RED, right: RED },
  })
  const upright = { left: 30, top: 0, width: 60, height: 160 }
  const { path } = await convertFile('video.mp4-to-webm', at('turned.mp4'), { crop: upright })
  expect(seen(path)).toMatchObject({ width: 60, height: 160 })
  const still = await convertFile('video.mp4-to-png', at('bars.mp4'), { crop, frames: { at: 1 } })
  expect(seen(still.path)).toMatchObject({ width: 80, height: 60 })
})

test('proportions keep the part that is asked for, before a size is reached', async () => {
  const options = { crop: { aspect: '1:1', gravity: 'east' }, video: { longestEdge: 60 } }
  const { path } = await convertFile('video.mp4-to-mp4', at('bars.mp4'), options)
  expect(seen(path)).toMatchObject({ width: 60, height: 60 })
})

test('a video without bars stays as it is, and a part outside is refused', async () => {
  const { path, warnings } = await convertFile('video.mp4-to-mkv', at('plain.mp4'), {
    crop: { mode: 'auto' },
  })
  expect(warnings).toEqual(['No black bars were found, so the whole picture was kept.'])
  const packets = (file: string) =>
    execFileSync('ffmpeg', ['-v', 'error', '-i', file, '-f', 'framemd5', '-'])
      .toString()
      .match(/\w{32}$/gm)
  expect(packets(path)).toEqual(packets(at('plain.mp4')))
  await expect(
    convertFile('video.mp4-to-mp4', at('plain.mp4'), { crop: { left: 500 } }),
  ).rejects.toMatchObject({ code: 'jobs.unsupported_input' })
})
