import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { convertFile, inputOf } from '../../../../../testing/fixtures/convert.ts'
import { few, onlyFull } from '../../../../../testing/fixtures/full.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { gradient, psnr } from '../../../../../testing/fixtures/pixels.ts'
import { decode, onWhite, writePam, writePnm } from '../../../../../testing/pictures.ts'
import { picture } from '../../../preview/pictures.ts'
import { asWebPicture } from '../web-picture.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-grey-'))
afterAll(() => rmSync(folder, { recursive: true }))

const [width, height] = [120, 80]
const grey = gradient(width, height).data.filter((_, index) => index % 3 === 0)

/** Encoded by libavif's own program. */
function avif(source: string, name: string, ...options: string[]): string {
  const path = join(folder, `${name}.avif`)
  tool('convert', source, `${path}.png`)
  tool('avifenc', '-s', '8', '--min', '0', '--max', '2', '-y', '400', ...options, `${path}.png`, path)
  return path
}

test.each(
  few(1, [
    ['limited range', ['-r', 'limited']],
    ['limited range, 10 bits', ['-r', 'limited', '-d', '10']],
    ['full range', ['-r', 'full']],
    ['limited range, turned', ['-r', 'limited', '--irot', '1']],
  ]),
)('monochrome in %s keeps its contrast', async (name, options) => {
  const source = writePnm({ width, height, data: grey }, join(folder, 'grey.pgm'))
  const { path } = await convertFile('image.avif-to-png', avif(source, name, ...options))
  const upright = join(folder, 'upright.png')
  tool('convert', source, '-rotate', name.endsWith('turned') ? '-90' : '0', upright)
  expect(psnr(onWhite(decode(path)), onWhite(decode(upright)))).toBeGreaterThan(42)
})

test.each(few(1, ['full', 'limited']))(
  '%s range is read from the AV1 stream without a colour box',
  async range => {
    const source = writePnm(gradient(width, height), join(folder, 'colours.ppm'))
    const path = avif(source, `boxless-${range}`, '-y', '444', '-r', range)
    const file = readFileSync(path)
    file.write('skip', file.indexOf('colr'), 'latin1')
    writeFileSync(path, file)
    const wanted = onWhite(decode(path))
    const { path: converted } = await convertFile('image.avif-to-png', path)
    expect(psnr(onWhite(decode(converted)), wanted)).toBeGreaterThan(45)
  },
)

testFull(
  'range alone in the colour box is read from there, whatever the AV1 stream says, on every way',
  async () => {
    const source = writePnm(gradient(width, height), join(folder, 'ranged.ppm'))
    const path = avif(source, 'ranged', '-y', '444', '--cicp', '2/2/2', '-r', 'limited')
    const file = readFileSync(path)
    // As by SVT-AV1 1.4, which does not write the range that avifenc gives to the container.
    file[file.indexOf('colrnclx') + 14] = 0x80
    writeFileSync(path, file)
    const wanted = onWhite(decode(path))
    const near = (found: string) => expect(psnr(onWhite(decode(found)), wanted)).toBeGreaterThan(45)
    near((await convertFile('image.avif-to-png', path)).path)
    writeFileSync(join(folder, 'ranged.heic'), file)
    near((await convertFile('image.heic-to-png', join(folder, 'ranged.heic'))).path)
    const shown = await picture(await inputOf(path, 'avif'), { edge: 2000, folder })
    await shown.open().png().toFile(join(folder, 'shown.png'))
    near(join(folder, 'shown.png'))
    writeFileSync(join(folder, 'web.png'), (await asWebPicture(file))!.bytes)
    near(join(folder, 'web.png'))
  },
)

test('and keeps its transparency', async () => {
  const data = new Uint8Array(width * height * 4)
  for (const [index, value] of grey.entries())
    data.set([value, value, value, index % width < 60 ? 255 : 0], index * 4)
  const source = writePam({ width, height, data }, join(folder, 'clear.pam'))
  const { path } = await convertFile('image.avif-to-png', avif(source, 'clear', '-r', 'limited'))
  expect(psnr(onWhite(decode(path)), onWhite({ width, height, data }))).toBeGreaterThan(38)
})

test.each(
  onlyFull([
    ['rotated', ['--irot', '1'], ['-rotate', '-90']],
    ['mirrored', ['--imir', '1'], ['-flop']],
    [
      'cropped and rotated',
      ['--crop', '20,10,60,40', '--irot', '3'],
      ['-crop', '60x40+20+10', '-rotate', '90'],
    ],
  ]),
)(
  'transparency is %s with the colours, as in files of libavif 1.3 and older',
  async (name, options, same) => {
    const { data: rgb } = gradient(width, height)
    const data = new Uint8Array(width * height * 4)
    for (let at = 0; at < width * height; at++)
      data.set([...rgb.subarray(3 * at, 3 * at + 3), at % width < 40 && at < 3000 ? 0 : 255], 4 * at)
    const source = writePam({ width, height, data }, join(folder, `${name}.pam`))
    const { path } = await convertFile('image.avif-to-png', avif(source, name, '-y', '444', ...options))
    const upright = join(folder, `${name}-upright.png`)
    tool('convert', source, ...same, '+repage', upright)
    expect(psnr(onWhite(decode(path)), onWhite(decode(upright)))).toBeGreaterThan(35)
  },
)
