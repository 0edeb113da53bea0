/** Pictures of videos: the right frame, upright, in its shape and colours. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeFull, testFull } from '../../../../testing/describe-full.ts'
import { converterOf, convertFile, inputOf } from '../../../../testing/fixtures/convert.ts'
import { few, isFull, onlyFull } from '../../../../testing/fixtures/full.ts'
import { make, mediaFolder, tool } from '../../../../testing/fixtures/media.ts'
import { withDefaults } from '../../catalogue/options.ts'
import videos from './index.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const FPS = 10

beforeAll(() => {
  // The grey of a frame tells its number: 20, 40, 60 …
  const grey = `color=black:s=160x96:r=${FPS}:d=1.2,format=gray,geq=lum='20*(N+1)',format=yuv420p`
  const h264 = ['-c:v', 'libx264', '-crf', '10', '-g', '100', '-pix_fmt', 'yuv420p']
  make(at('grey.mp4'), '-f', 'lavfi', '-i', `${grey},setsar=2`, ...h264)
  if (!isFull) return
  make(at('grey.mpg'), '-f', 'lavfi', '-i', grey, '-r', '25', '-c:v', 'mpeg2video', '-q:v', '1')
  make(at('grey.m1v.mpg'), '-i', at('grey.mpg'), '-c', 'copy', '-f', 'mpeg2video')
  make(at('turned.mov'), '-i', at('grey.mp4'), '-c', 'copy', '-metadata:s:v:0', 'rotate=90')
  const red = 'color=0xff0000:s=64x64:r=5:d=0.4,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p'
  const hd = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709']
  make(at('red.mkv'), '-f', 'lavfi', '-i', red, '-c:v', 'libx264', '-crf', '5', ...hd)
  writeFileSync(at('empty.mkv'), 'nothing')
})

/** Size and mean colour of a picture, as ImageMagick sees them. */
function seen(path: string): { size: string; colour: number[] } {
  const [size = '', ...colour] = tool(
    'convert',
    ...[path, '-colorspace', 'sRGB', '-format', '%wx%h %[fx:255*mean.r] %[fx:255*mean.g] %[fx:255*mean.b]'],
    'info:',
  ).split(' ')
  return { size, colour: colour.map(Number) }
}

/** Number of the frame of the source that a picture shows, from 0. */
const frameOf = (path: string) => Math.round(seen(path).colour[0]! / 20) - 1

describe('one picture', () => {
  const times: [time: number, frame: number][] = [
    [0.35, 3],
    [0, 0],
    [0.3, 3],
    [1.19, 11],
  ]
  it.each(few(1, times))('at %s s is frame %s', async (time, frame) => {
    const { outputs, warnings } = await convertFile('video.mp4-to-png', at('grey.mp4'), {
      frames: { at: time },
    })
    expect(outputs).toHaveLength(1)
    expect(frameOf(outputs[0]!.path)).toBe(frame)
    expect(warnings).toEqual([])
  })

  testFull('has the shape that is shown', async () => {
    const sizeOf = async (job: string, name: string) => seen((await convertFile(job, at(name))).path).size
    expect(await sizeOf('video.mp4-to-jpg', 'grey.mp4')).toBe('320x96')
    expect(await sizeOf('video.mp4-to-gif', 'grey.mp4')).toMatch(/^320x96/)
    expect(await sizeOf('video.mov-to-jpg', 'turned.mov')).toMatch(/^(96x320|48x160)$/)
  })

  testFull('has the colours that are shown, in the size and format that are asked for', async () => {
    const options = { quality: 95, resize: { enabled: true, preset: 'custom', value: 32 } }
    const { size, colour } = seen((await convertFile('video.mkv-to-jpg', at('red.mkv'), options)).path)
    expect(size).toBe('32x32')
    for (const [index, value] of [255, 0, 0].entries())
      expect(Math.abs(colour[index]! - value)).toBeLessThan(8)
  })

  it('after the end is refused', async () => {
    await expect(
      convertFile('video.mp4-to-png', at('grey.mp4'), { frames: { at: 5 } }),
    ).rejects.toMatchObject({ code: 'jobs.unsupported_input' })
  })
})

describe('a picture every few seconds', () => {
  const every: [source: string, trim: object, every: number, frames: number[]][] = [
    ['mp4', {}, 0.3, [0, 3, 6, 9]],
    ['mp4', { start: 0.4, end: 1 }, 0.3, [4, 7]],
    ['mpg', {}, 0.4, [0, 4, 8]],
    // Without the packs of a programme stream, as some cameras and ImageMagick write it.
    ['m1v.mpg', {}, 0.4, [0, 4, 8]],
    ['mp4', {}, 100, [0]],
  ]
  it.each(onlyFull(every))('%s, part %s, every %s s', async (source, trim, every, frames) => {
    const options = { frames: { mode: 'every', every }, trim }
    const job = `video.${source.replace(/^.*\./, '')}-to-png`
    const { outputs, warnings } = await convertFile(job, at(`grey.${source}`), options)
    expect(outputs.map(({ path }) => frameOf(path))).toEqual(frames)
    expect(warnings).toEqual([])
  })

  testFull('is refused if that were too many', async () => {
    const long = make(at('long.mp4'), '-f', 'lavfi', '-i', 'color=red:s=16x16:r=1:d=600')
    await expect(
      convertFile('video.mp4-to-jpg', long, { frames: { mode: 'every', every: 0.1 } }),
    ).rejects.toMatchObject({ code: 'jobs.too_large', detail: expect.stringContaining('6000') })
  })

  it('is estimated from one', async () => {
    const { part, options } = converterOf('video.mp4-to-jpg')
    const chosen = withDefaults(options, { frames: { mode: 'every', every: 0.3 } })
    const { whole } = await (await part!()).partOf(await inputOf(at('grey.mp4'), 'mp4'), chosen)
    expect(whole(1000)).toBe(4000)
  })
})

testFull('what holds no picture says so', async () => {
  await expect(convertFile('video.mkv-to-jpg', at('empty.mkv'))).rejects.toMatchObject({
    code: 'jobs.corrupt_input',
  })
  const sound = make(at('sound.mp4'), '-f', 'lavfi', '-i', 'sine=440:d=0.3', '-c:a', 'aac')
  await expect(convertFile('video.mp4-to-jpg', sound)).rejects.toMatchObject({
    code: 'jobs.unsupported_input',
  })
})

it('every video has pictures', () => {
  expect(videos.filter(({ target }) => target === 'jpg' || target === 'png')).toHaveLength(20)
})

describeFull('a sheet', true, () => {
  it('has pictures from the middle of equal shares, in their order', async () => {
    const frames = { mode: 'sheet', columns: 2, rows: 2 }
    const { outputs } = await convertFile('video.mp4-to-png', at('grey.mp4'), { frames })
    expect(outputs).toHaveLength(1)
    const { path } = outputs[0]!
    expect(seen(path).size).toBe('644x196')
    const tiles = ['+0+0', '+324+0', '+0+100', '+324+100'].map((offset, index) =>
      frameOf(
        tool('convert', path, '-crop', `320x96${offset}`, '+repage', at(`tile-${index}.png`)) ||
          at(`tile-${index}.png`),
      ),
    )
    expect(tiles).toEqual([2, 5, 8, 11])
  })

  it('is of the part that was chosen, and no wider than a screen', async () => {
    const frames = { mode: 'sheet', columns: 20, rows: 1 }
    const { path } = await convertFile('video.mp4-to-jpg', at('grey.mp4'), { frames, trim: { start: 0.6 } })
    expect(seen(path).size).toMatch(/^19\d\dx/)
  })

  it('of a part after the last picture is refused', async () => {
    const sound = ['-f', 'lavfi', '-i', 'sine=d=3']
    const longer = make(at('longer.mp4'), '-i', at('grey.mp4'), ...sound, '-c:v', 'copy', '-c:a', 'aac')
    for (const mode of ['every', 'sheet'])
      await expect(
        convertFile('video.mp4-to-jpg', longer, { frames: { mode }, trim: { start: 2 } }),
      ).rejects.toMatchObject({ code: 'jobs.unsupported_input' })
  })
})
