/** Pictures made and checked by external programs: ImageMagick, Netpbm, libjpeg-turbo, libavif, libwebp, ffmpeg. */
import { readFileSync, writeFileSync } from 'node:fs'
import { extname } from 'node:path'
import { tool } from './fixtures/media.ts'
import type { Raster } from './fixtures/pixels.ts'
import { type Decoded, readPnm } from './fixtures/pnm.ts'
import { output, run } from './fixtures/programs.ts'

export type { Decoded } from './fixtures/pnm.ts'

/** Programs that start in a tenth of the time that ImageMagick takes, and write PNM or PAM. */
const quickDecoders: Partial<Record<string, readonly [program: string, ...args: string[]]>> = {
  '.jpg': ['djpeg'],
  '.png': ['pngtopam', '-alphapam'],
  '.webp': ['dwebp', '-quiet', '-pam', '-o', '-'],
}

/** Decodes one frame of a picture: AVIF with avifdec, the first of common formats with a quick program, else with ImageMagick. */
export function decode(path: string, frame = 0): Decoded {
  if (path.endsWith('.avif')) {
    const png = `${path}.png`
    tool('avifdec', '--index', String(frame), '-d', '8', '--png-compress', '1', path, png)
    return decode(png)
  }
  const [program, ...args] = (frame === 0 && quickDecoders[extname(path)]) || []
  if (program) {
    const { status, stdout } = run(program, [...args, path])
    const decoded = status === 0 && readPnm(stdout)
    if (decoded) return decoded
  }
  const shown = ['-colorspace', 'sRGB', '-type', 'TrueColorAlpha', '-depth', '8', 'pam:-']
  return readPnm(output('convert', [`${path}[${frame}]`, ...shown]))!
}

/** RGBA as ImageMagick's `convert` returns it with these arguments. Much faster than via PNG. */
export function rawPixels(...args: string[]): Uint8Array {
  return output('convert', [...args, 'rgba:-'])
}

/** Every complete frame of an animation, drawn by ffmpeg. */
export function decodeFrames(path: string, width: number, height: number): Uint8Array[] {
  const args = ['-v', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'rgba', '-vsync', '0', '-']
  const bytes = output('ffmpeg', args)
  const size = width * height * 4
  return Array.from({ length: bytes.length / size }, (_, i) => bytes.subarray(i * size, (i + 1) * size))
}

/** Every complete frame of an animated WebP: taken apart by webpmux, decoded by dwebp, composited here. */
export function decodeWebpFrames(path: string, width: number, height: number): Uint8Array[] {
  const canvas = new Uint8Array(width * height * 4)
  const rows = tool('webpmux', '-info', path).matchAll(
    /^\s*(\d+):\s+(\d+)\s+(\d+)\s+\w+\s+(\d+)\s+(\d+)\s+\d+\s+(\w+)\s+(\w+)/gm,
  )
  return [...rows].map(([, number = '', w, h, x, y, dispose, blend]) => {
    const part = `${path}.${number}.webp`
    tool('webpmux', '-get', 'frame', number, path, '-o', part)
    const { data } = decode(part)
    const [frameWidth, frameHeight, left, top] = [w, h, x, y].map(Number) as [number, number, number, number]
    const each = (draw: (to: number, from: number) => void) => {
      for (let row = 0; row < frameHeight; row++) {
        for (let column = 0; column < frameWidth; column++) {
          draw(((top + row) * width + left + column) * 4, (row * frameWidth + column) * 4)
        }
      }
    }
    each((to, from) => {
      // Pictures in these tests are fully opaque or transparent, so blending only means choosing.
      if (blend === 'no' || data[from + 3]! > 127) canvas.set(data.subarray(from, from + 4), to)
    })
    const drawn = Uint8Array.from(canvas)
    if (dispose === 'background') each(to => canvas.fill(0, to, to + 4))
    return drawn
  })
}

/** RGB of RGBA pixels, on white. */
export function onWhite({ data }: Decoded): Uint8Array {
  const rgb = new Uint8Array((data.length / 4) * 3)
  for (let i = 0; i < data.length / 4; i++) {
    const alpha = data[i * 4 + 3]! / 255
    for (let c = 0; c < 3; c++) rgb[i * 3 + c] = Math.round(data[i * 4 + c]! * alpha + 255 * (1 - alpha))
  }
  return rgb
}

/** Writes a raster as PNM, which all programs used here can read. */
export function writePnm({ width, height, data }: Raster, path: string): string {
  const magic = data.length === width * height * 3 ? 'P6' : 'P5'
  writeFileSync(path, Buffer.concat([Buffer.from(`${magic}\n${width} ${height}\n255\n`), data]))
  return path
}

/** Writes RGBA as PAM. */
export function writePam({ width, height, data }: Decoded, path: string): string {
  const header = `P7\nWIDTH ${width}\nHEIGHT ${height}\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n`
  writeFileSync(path, Buffer.concat([Buffer.from(header), data]))
  return path
}

/** Deflate's lowest level: PNG files passed between two programs need not be small. */
const FAST_PNG = ['-define', 'png:compression-level=1']

/** Writes a raster to a picture file with the format's own program. */
export function makePicture(source: string, path: string): string {
  if (path.endsWith('.avif')) {
    tool('convert', source, ...FAST_PNG, `${path}.png`)
    tool('avifenc', '-s', '8', '-l', `${path}.png`, path)
  } else if (path.endsWith('.webp')) {
    tool('convert', source, ...FAST_PNG, `${path}.png`)
    tool('cwebp', '-quiet', '-lossless', '-exact', `${path}.png`, '-o', path)
  } else {
    // Without dither, whose noise no lossy format keeps.
    tool('convert', source, '+dither', '-quality', '95', path)
  }
  return path
}

/** Size, format and frame count according to ImageMagick. */
export const identify = (path: string): string =>
  tool('identify', '-format', '%m %wx%h\n', path).trim().split('\n')[0] ?? ''

export const bytesOf = (path: string): Buffer => readFileSync(path)
