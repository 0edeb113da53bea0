/** A small file of every kind of picture, vector graphic and animation that has a converter. */
import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import sharp from 'sharp'
import type { TestFiles } from './files.ts'
import { heicOf } from './fixtures/heif.ts'
import { tool } from './fixtures/media.ts'
import { u16 } from './fixtures/numbers.ts'
import { gradient } from './fixtures/pixels.ts'
import { makeCr2, makeDng, makeNef } from './fixtures/raw.ts'
import { movingSquare } from './lottie.ts'
import { bits, foreground, op, pict, text } from './pict.ts'
import { makePicture, writePnm } from './pictures.ts'
import { psd } from './psd.ts'
import { makeCr3 } from './raw-cr3.ts'

/** Makes the files and returns their names. */
export async function smallPictures(files: TestFiles): Promise<string[]> {
  const names: string[] = []
  const add = (name: string, bytes?: Uint8Array | string) => {
    if (bytes !== undefined) writeFileSync(files.path(name), bytes)
    names.push(name)
    return files.path(name)
  }
  const picture = gradient(48, 48)
  const source = writePnm(picture, files.path('still.ppm'))
  for (const suffix of ['avif', 'bmp', 'gif', 'ico', 'jpg', 'png', 'tiff', 'webp'])
    makePicture(source, add(`still.${suffix}`))

  const frames = ['red-blue', 'green-white', 'black-yellow'].map((colours, index) => {
    const frame = files.path(`${index}.png`)
    tool('convert', '-size', '60x40', `gradient:${colours}`, frame)
    return frame
  })
  tool('convert', '-delay', '10', ...frames, add('moving.gif'))
  tool('img2webp', '-d', '100', ...frames, '-o', add('moving.webp'))
  tool('avifenc', '-s', '8', '--fps', '10', ...frames, add('moving.avif'))
  tool('ffmpeg', '-v', 'error', '-i', files.path('moving.gif'), '-f', 'apng', add('moving.png'))
  tool('convert', ...frames, '-compress', 'lzw', add('pages.tiff'))
  const tiles = Array.from({ length: 4 }, () => source.replace('.ppm', '.tile.png'))
  tool('convert', source, '-resize', '64x64', tiles[0]!)
  tool('avifenc', '-s', '8', '--grid', '2x2', ...tiles, add('tiles.avif'))

  add('one.heic', heicOf(picture))
  add('tiles.heic', heicOf(gradient(240, 160), { tile: 128 }))
  const preview = await sharp({ create: { width: 96, height: 64, channels: 3, background: '#808080' } })
    .jpeg()
    .toBuffer()
  const scene = gradient(160, 96)
  add('raw.cr2', makeCr2(scene, { preview }))
  add('raw.cr3', makeCr3(scene, { preview }))
  add('raw.nef', makeNef(scene, { preview }))
  add('raw.dng', makeDng(scene, { preview }))
  const planes = [0, 1, 2].map(channel => picture.data.filter((_, index) => index % 3 === channel))
  add('merged.psd', psd({ mode: 'rgb', width: 48, height: 48, planes, compression: 'packbits' }))
  const stamp = bits({ width: 40, height: 20, depth: 32, at: () => [20, 80, 220] })
  const drawn = [foreground([200, 30, 30]), op(0x31, u16(0, 0, 60, 50)), text(55, 30, 'Text'), stamp]
  add('drawing.pict', pict({ frame: [0, 0, 60, 100] }, ...drawn))

  const shapes = '<rect width="9" height="9" fill="red"/><text x="2" y="30">Text</text>'
  add('drawing.svg', `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40">${shapes}</svg>`)
  const animation = JSON.stringify(movingSquare())
  add('moving.json', animation)
  add('moving.tgs', gzipSync(animation))
  const manifest = JSON.stringify({ animations: [{ id: 'square' }] })
  add('moving.lottie', zipSync({ 'manifest.json': strToU8(manifest), 'a/square.json': strToU8(animation) }))
  return names
}
