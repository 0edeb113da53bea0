/** What files cost at an equal result, beside the encoders that people use by hand. */
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { testFull } from '../../../../testing/describe-full.ts'
import { testFiles } from '../../../../testing/files.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { few } from '../../../../testing/fixtures/full.ts'
import { tool } from '../../../../testing/fixtures/media.ts'

const files = testFiles('bytes')
const photo = files.path('photo.png')

beforeAll(() => {
  const clouds = ['-seed', '7', '-size', '320x240', 'plasma:tan-dodgerblue', '-blur', '0x0.6']
  tool('convert', ...clouds, '-attenuate', '0.15', '+noise', 'gaussian', '-depth', '8', photo)
})

/** Bytes, and the distance to the photo in decibels (PSNR). */
function costOf(path: string): { bytes: number; decibels: number } {
  const decoded = files.path('decoded.png')
  if (path.endsWith('avif')) tool('avifdec', path, decoded)
  else tool('convert', path, decoded)
  const { stderr } = spawnSync('compare', ['-metric', 'PSNR', decoded, photo, 'null:'], { encoding: 'utf8' })
  return { bytes: statSync(path).size, decibels: Number(stderr) }
}

const rivals: [string, number, (path: string) => string][] = [
  ['webp', 1.03, path => `cwebp -quiet -q 82 ${photo} -o ${path}`],
  ['avif', 1.05, path => `avifenc -s 6 --min 25 --max 25 -y 420 ${photo} ${path}`],
  ['jpg', 1.01, path => `convert ${photo} ppm:- | cjpeg -quality 90 -optimize > ${path}`],
]

test.each(few(1, rivals))(
  '%s is at most %d of the size of a usual encoder’s',
  async (target, most, command) => {
    const theirs = files.path(`theirs.${target}`)
    tool('sh', '-c', command(theirs))
    const { path } = await convertFile(`image.png-to-${target}`, photo)
    const [ours, other] = [costOf(path), costOf(theirs)]
    expect(ours.decibels).toBeGreaterThan(other.decibels - 0.1)
    expect(ours.bytes / other.bytes).toBeLessThan(most)
  },
)

testFull(
  'a jpg of a phone’s photo has its resolution of colours, and is no larger than heif-convert’s',
  async () => {
    const [heic, theirs] = [files.path('photo.heic'), files.path('theirs-heic.jpg')]
    tool('heif-enc', '-q', '80', '-o', heic, photo)
    tool('heif-convert', '-q', '90', heic, theirs)
    const { path } = await convertFile('image.heic-to-jpg', heic)
    expect(tool('exiftool', '-s3', '-YCbCrSubSampling', path)).toContain('4:2:0')
    expect(costOf(path).decibels).toBeGreaterThan(costOf(theirs).decibels - 0.1)
    expect(statSync(path).size / statSync(theirs).size).toBeLessThan(1.02)
  },
)
