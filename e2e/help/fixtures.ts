import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'

const pathsIn = (folder: string) => ({
  jpg: join(folder, 'Harbour at dusk.jpg'),
  png: join(folder, 'Floor plan.png'),
  webp: join(folder, 'Poster.webp'),
  gif: join(folder, 'Traffic light.gif'),
  svg: join(folder, 'Logo.svg'),
  wav: join(folder, 'Tuning fork.wav'),
  mp4: join(folder, 'Clip.mp4'),
  long: join(folder, 'Long lecture.wav'),
})

const folderIn = (temporary: string) => join(temporary, 'fixtures')

/** Real files of several formats, which all tests of a run share. */
export const fixtures = pathsIn(folderIn(tmpdir()))

const run = promisify(execFile)
const ffmpeg = (...args: string[]) =>
  run(process.env.REFILE_FFMPEG || 'ffmpeg', ['-hide_banner', '-v', 'error', '-y', ...args])

/** Creates the fixtures in the run's temporary folder. */
export async function makeFixtures(temporary: string): Promise<void> {
  const folder = folderIn(temporary)
  const paths = pathsIn(folder)
  await mkdir(folder)
  await Promise.all([makePictures(paths), makeRecordings(paths, folder)])
}

async function makePictures(paths: typeof fixtures): Promise<void> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 50 }
  const picture = () =>
    sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#888', noise } }).blur(4)
  await picture().jpeg({ quality: 90 }).toFile(paths.jpg)
  await picture().resize(800).png().toFile(paths.png)
  await picture().resize(640).webp().toFile(paths.webp)
  const frame = (colour: string) =>
    sharp({ create: { width: 120, height: 90, channels: 3, background: colour } })
      .png()
      .toBuffer()
  const frames = await Promise.all(['#c33', '#3c3', '#33c'].map(frame))
  await sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 100, 100] })
    .toFile(paths.gif)
  await writeFile(
    paths.svg,
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="120"><rect width="200" height="120" fill="#246"/><circle cx="100" cy="60" r="40" fill="#fc3"/></svg>',
  )
}

async function makeRecordings(paths: typeof fixtures, folder: string): Promise<void> {
  await ffmpeg('-f', 'lavfi', '-i', 'sine=440:duration=3', paths.wav)
  await ffmpeg(
    ...['-f', 'lavfi', '-i', 'testsrc=duration=2:size=320x240'],
    ...['-f', 'lavfi', '-i', 'sine=880:duration=2', '-shortest', paths.mp4],
  )
  // Long enough to be canceled during the conversion.
  const minute = join(folder, 'minute.wav')
  await ffmpeg('-f', 'lavfi', '-i', 'anoisesrc=duration=60:sample_rate=16000', minute)
  await ffmpeg('-stream_loop', '59', '-i', minute, '-c', 'copy', paths.long)
}
