import { execFileSync } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'

const ffmpeg = (...args: string[]) =>
  execFileSync(process.env.REFILE_FFMPEG || 'ffmpeg', ['-hide_banner', '-v', 'error', '-y', ...args])

/** Real files of several formats, created in their own folder; returns their paths by format. */
export async function makeSamples() {
  const folder = await mkdtemp(join(tmpdir(), 'refile-samples-'))
  const at = (name: string) => join(folder, name)
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 50 }
  const picture = () =>
    sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#888', noise } }).blur(4)
  await picture().jpeg({ quality: 90 }).toFile(at('Harbour at dusk.jpg'))
  await picture().resize(800).png().toFile(at('Floor plan.png'))
  await picture().resize(640).webp().toFile(at('Poster.webp'))
  const frame = (colour: string) =>
    sharp({ create: { width: 120, height: 90, channels: 3, background: colour } })
      .png()
      .toBuffer()
  const frames = await Promise.all(['#c33', '#3c3', '#33c'].map(frame))
  await sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 100, 100] })
    .toFile(at('Traffic light.gif'))
  await writeFile(
    at('Logo.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="120"><rect width="200" height="120" fill="#246"/><circle cx="100" cy="60" r="40" fill="#fc3"/></svg>',
  )
  ffmpeg('-f', 'lavfi', '-i', 'sine=440:duration=3', at('Tuning fork.wav'))
  ffmpeg(
    '-f',
    'lavfi',
    '-i',
    'testsrc=duration=2:size=320x240',
    '-f',
    'lavfi',
    '-i',
    'sine=880:duration=2',
    '-shortest',
    at('Clip.mp4'),
  )
  // Long enough to be canceled during the conversion.
  ffmpeg(
    '-f',
    'lavfi',
    '-i',
    'anoisesrc=duration=3600:sample_rate=16000',
    '-c:a',
    'pcm_s16le',
    at('Long lecture.wav'),
  )
  return {
    folder,
    jpg: at('Harbour at dusk.jpg'),
    png: at('Floor plan.png'),
    webp: at('Poster.webp'),
    gif: at('Traffic light.gif'),
    svg: at('Logo.svg'),
    wav: at('Tuning fork.wav'),
    mp4: at('Clip.mp4'),
    long: at('Long lecture.wav'),
  }
}
