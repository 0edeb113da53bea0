import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeFull, testFull } from '../../../../../testing/describe-full.ts'
import { make, mediaFolder, tool } from '../../../../../testing/fixtures/media.ts'
import { decodeFrames, encodeFrames } from './frames.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const size = { width: 50, height: 34 }
const video = { ...size, pixelFormat: 'rgba', fps: 30 }
const frameBytes = size.width * size.height * 4
const apng = ['-c:v', 'apng', '-plays', '0', '-f', 'apng']

function* pictures(count: number) {
  for (let index = 0; index < count; index++) {
    yield Uint8Array.from({ length: frameBytes }, (_, at) => (at * 7 + index * 31 + (at >> 6)) & 255)
  }
}

async function collect(frames: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = []
  for await (const frame of frames) all.push(frame)
  return all
}

describe('frames piped into ffmpeg', () => {
  testFull('come out unchanged', async () => {
    await encodeFrames({ video, output: at('out.apng'), options: apng, frameCount: 12 }, pictures(12))
    tool('ffmpeg', '-v', 'error', '-i', at('out.apng'), '-f', 'rawvideo', '-pix_fmt', 'rgba', at('out.raw'))
    expect(readFileSync(at('out.raw')).equals(Buffer.concat([...pictures(12)]))).toBe(true)
  })

  testFull('keep transparency and timing in WebM', async () => {
    await encodeFrames(
      {
        video: { ...video, fps: '30000/1001' },
        output: at('out.webm'),
        options: [
          '-c:v',
          'libvpx-vp9',
          '-pix_fmt',
          'yuva420p',
          '-auto-alt-ref',
          '0',
          '-b:v',
          '0',
          '-crf',
          '30',
        ],
      },
      pictures(15),
    )
    const text = tool(
      'ffprobe',
      '-v',
      'error',
      '-count_frames',
      '-show_streams',
      '-of',
      'json',
      at('out.webm'),
    )
    const [stream] = JSON.parse(text).streams
    expect(stream).toMatchObject({ codec_name: 'vp9', nb_read_frames: '15', r_frame_rate: '30000/1001' })
    expect(Object.entries(stream.tags).map(([key, value]) => `${key}=${value}`.toLowerCase())).toContain(
      'alpha_mode=1',
    )
  })

  testFull('are drawn only as fast as ffmpeg accepts them', async () => {
    let drawn = 0
    let written = 0
    const big = { width: 1000, height: 1000, pixelFormat: 'rgba', fps: 30 }
    async function* frames() {
      for (; drawn < 12; drawn++) {
        yield new Uint8Array(4_000_000)
        written++
        expect(drawn - written).toBeLessThan(3)
      }
    }
    await encodeFrames({ video: big, output: at('big.apng'), options: apng }, frames())
    expect(drawn).toBe(12)
  })

  it('that cannot be drawn stop it with the reason', async () => {
    async function* broken() {
      yield new Uint8Array(frameBytes)
      throw new Error('out of paint')
    }
    await expect(encodeFrames({ video, output: at('broken.apng'), options: apng }, broken())).rejects.toThrow(
      'out of paint',
    )
    expect(existsSync(at('broken.apng'))).toBe(false)
  })
})

describeFull('frames piped out of ffmpeg', true, () => {
  it.each(['a path', 'bytes', 'a stream'])('from %s', async from => {
    const path = make(
      at('in.mkv'),
      '-f',
      'lavfi',
      '-i',
      'testsrc=s=50x34:r=10:d=1',
      '-pix_fmt',
      'rgba',
      '-c:v',
      'png',
    )
    const bytes = readFileSync(path)
    async function* stream() {
      for (let offset = 0; offset < bytes.length; offset += 100) yield bytes.subarray(offset, offset + 100)
    }
    const input = from === 'a path' ? path : from === 'bytes' ? bytes : stream()
    const frames = await collect(
      decodeFrames({ input, demuxer: 'matroska', pixelFormat: 'rgba', frameBytes }),
    )
    tool('ffmpeg', '-v', 'error', '-y', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'rgba', at('in.raw'))
    expect(Buffer.concat(frames).equals(readFileSync(at('in.raw')))).toBe(true)
    expect(frames).toHaveLength(10)
  })

  it('can be abandoned early', async () => {
    const path = make(
      at('many.mkv'),
      '-f',
      'lavfi',
      '-i',
      'testsrc=s=320x240:r=25:d=8',
      '-pix_fmt',
      'rgba',
      '-c:v',
      'png',
    )
    let count = 0
    const bytes = 320 * 240 * 4
    for await (const frame of decodeFrames({
      input: path,
      demuxer: 'matroska',
      pixelFormat: 'rgba',
      frameBytes: bytes,
    })) {
      expect(frame).toHaveLength(bytes)
      if (++count === 3) break
    }
    expect(count).toBe(3)
  })

  it('from garbage fail', async () => {
    writeFileSync(at('rubbish'), 'rubbish'.repeat(100))
    const frames = decodeFrames({
      input: at('rubbish'),
      demuxer: 'matroska',
      pixelFormat: 'rgba',
      frameBytes,
    })
    await expect(collect(frames)).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
  })
})
