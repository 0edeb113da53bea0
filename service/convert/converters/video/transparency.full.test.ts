/** What is transparent in a video stays so where the target can show it. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { make, mediaFolder } from '../../../../testing/fixtures/media.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)

/** A blue disc on nothing. */
const disc = "nullsrc=s=64x48:r=10:d=0.4,format=rgba,geq=r=0:g=0:b=255:a='255*lt(hypot(X-32,Y-24),16)'"
const lossy = ['-deadline', 'realtime', '-auto-alt-ref', '0', '-pix_fmt', 'yuva420p']
/** Stickers of messengers, and what programs that edit videos write. */
const videos: Record<string, string[]> = {
  'vp9.webm': ['-c:v', 'libvpx-vp9', ...lossy],
  'vp8.webm': ['-c:v', 'libvpx', ...lossy],
  'prores.mov': ['-c:v', 'prores_ks', '-profile:v', '4444', '-pix_fmt', 'yuva444p10le'],
}

/** Opacity of a corner and of the middle, as ImageMagick sees them, or, of a video, the decoder of VP9. */
function opacities(path: string): number[] {
  const pixels = path.endsWith('.webm')
    ? execFileSync('ffmpeg', [
        ...['-v', 'error', '-c:v', 'libvpx-vp9', '-i', path, '-frames:v', '1'],
        ...['-vf', 'alphaextract,format=gray', '-f', 'rawvideo', '-'],
      ])
    : execFileSync('convert', [
        path.endsWith('.apng') ? `apng:${path}[0]` : `${path}[0]`,
        ...['-coalesce', '-alpha', 'extract', '-depth', '8', 'gray:-'],
      ])
  return [pixels[0]!, pixels[24 * 64 + 32]!]
}

const all = Object.keys(videos).flatMap(name =>
  ['gif', 'webp', 'apng', 'webm'].map(target => ({ name, target })),
)
it.each(all)('$name as $target', async ({ name, target }) => {
  const path = make(at(name), '-f', 'lavfi', '-i', disc, ...videos[name]!)
  const options = target === 'webm' ? { video: { frameRate: 5 } } : {}
  const { path: output, warnings } = await convertFile(
    `video.${name.split('.')[1]}-to-${target}`,
    path,
    options,
  )
  expect(warnings).toEqual([])
  const [corner, middle] = opacities(output)
  expect(corner).toBeLessThan(16)
  expect(middle).toBeGreaterThan(240)
})
