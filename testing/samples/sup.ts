/** Subtitles of Blu-rays (PGS), drawn from texts by ImageMagick: https://blog.thescorpius.com/index.php/2017/07/15/presentation-graphic-stream-sup-files-bluray-subtitle-format/ */
import { execFileSync } from 'node:child_process'

export interface DrawnCue {
  /** Seconds. */
  start: number
  end: number
  text: string
  forced?: boolean
}

export interface Look {
  width?: number
  height?: number
  /** Height of the letters in pixels. */
  size?: number
  font?: string
  fill?: string
  outline?: string
  /** Width of the outline in pixels. */
  stroke?: number
}

/** A `.sup` file of subtitles at the lower edge of the picture. */
export function supOf(cues: readonly DrawnCue[], look: Look = {}): Buffer {
  const { width = 1920, height = 1080 } = look
  const segments: Buffer[] = []
  for (const [index, cue] of cues.entries()) {
    const drawn = drawnText(cue.text, look)
    const at = { x: Math.trunc((width - drawn.width) / 2), y: height - drawn.height - 40 }
    const add = (seconds: number, kind: number, body: Buffer) => segments.push(segment(seconds, kind, body))
    const screen = [...u16(width), ...u16(height), 0x10]
    const object = [0, 0, 0, cue.forced ? 0x40 : 0, ...u16(at.x), ...u16(at.y)]
    const window = Buffer.from([1, 0, ...u16(at.x), ...u16(at.y), ...u16(drawn.width), ...u16(drawn.height)])
    add(cue.start, 0x16, Buffer.from([...screen, ...u16(2 * index), 0x80, 0, 0, 1, ...object]))
    add(cue.start, 0x17, window)
    add(cue.start, 0x14, Buffer.from([0, 0, ...drawn.palette]))
    const picture = Buffer.concat([Buffer.from([...u16(drawn.width), ...u16(drawn.height)]), drawn.runs])
    // Larger ones follow in parts.
    const most = 60_000
    for (let from = 0; from < picture.length; from += most) {
      const flags = (from === 0 ? 0x80 : 0) | (from + most >= picture.length ? 0x40 : 0)
      const size = from === 0 ? [...u16(picture.length >> 8).slice(0, 2), picture.length & 255] : []
      const part = picture.subarray(from, from + most)
      add(cue.start, 0x15, Buffer.concat([Buffer.from([0, 0, 0, flags, ...size]), part]))
    }
    add(cue.start, 0x80, Buffer.alloc(0))
    add(cue.end, 0x16, Buffer.from([...screen, ...u16(2 * index + 1), 0, 0, 0, 0]))
    add(cue.end, 0x17, window)
    add(cue.end, 0x80, Buffer.alloc(0))
  }
  return Buffer.concat(segments)
}

const u16 = (value: number) => [value >> 8, value & 255]

function segment(seconds: number, kind: number, body: Buffer): Buffer {
  const head = Buffer.alloc(13)
  head.write('PG')
  head.writeUInt32BE(Math.round(seconds * 90_000), 2)
  head[10] = kind
  head.writeUInt16BE(body.length, 11)
  return Buffer.concat([head, body])
}

/** Outlined letters in 16 steps of grey and 16 of what is transparent. */
function drawnText(text: string, look: Look) {
  const { size = 54, font = 'DejaVu-Sans', fill = 'white', outline = 'black', stroke = 4 } = look
  const shape = ['-background', 'none', '-font', font, '-pointsize', String(size), '-gravity', 'center']
  const under = ['-fill', outline, '-stroke', outline, '-strokewidth', String(2 * stroke), `label:${text}`]
  const over = ['-fill', fill, '-stroke', 'none', `label:${text}`]
  const layers = ['(', ...under, ')', '(', ...over, ')']
  const all = [...shape, ...layers, '-gravity', 'center', '-composite', '-depth', '8']
  const picture = execFileSync('convert', [...all, 'pam:-'], { maxBuffer: 1 << 28 })
  const header = picture.subarray(0, picture.indexOf('ENDHDR\n') + 7).toString('latin1')
  const value = (name: string) => Number(new RegExp(`${name} (\\d+)`).exec(header)?.[1])
  const [width, height, depth] = ['WIDTH', 'HEIGHT', 'DEPTH'].map(value) as [number, number, number]
  const data = picture.subarray(header.length)
  // ImageMagick writes what has no colours in grey.
  const indexOf = (at: number) => {
    const alpha = data[at + depth - 1]!
    const level = depth === 2 ? data[at]! : Math.max(...data.subarray(at, at + 3))
    return alpha < 8 ? 0 : 1 + (level >> 4) + 16 * Math.min(14, Math.max(0, (alpha >> 4) - 1))
  }
  const runs: number[] = []
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; ) {
      const index = indexOf((y * width + x) * depth)
      let count = 1
      while (x + count < width && count < 16_000 && indexOf((y * width + x + count) * depth) === index)
        count++
      const long = count > 63 ? [0x40 | (count >> 8), count & 255] : [count]
      if (index === 0) runs.push(0, ...long)
      else runs.push(0, 0x80 | long[0]!, ...long.slice(1), index)
      x += count
    }
    runs.push(0, 0)
  }
  const [, red, green, blue] = /^#(..)(..)(..)/.exec(hexOf(fill)) ?? ['', 'ff', 'ff', 'ff']
  const [r, g, b] = [red, green, blue].map(part => Number.parseInt(part!, 16) / 255) as [
    number,
    number,
    number,
  ]
  const luma = 0.299 * r + 0.587 * g + 0.114 * b
  const palette = Array.from({ length: 240 }, (_, at) => {
    const level = ((at % 16) * 255) / 15
    const [y, cr, cb] = [level * luma, level * (r - luma) * 0.713, level * (b - luma) * 0.564]
    const alpha = Math.round(((Math.floor(at / 16) + 2) / 16) * 255)
    const limited = [16 + (y * 219) / 255, 128 + (cr * 224) / 255, 128 + (cb * 224) / 255]
    return [at + 1, ...limited.map(Math.round), alpha]
  }).flat()
  return { width, height, runs: Buffer.from(runs), palette }
}

const hexOf = (colour: string) =>
  ({ white: '#ffffff', yellow: '#ffff00', black: '#ffffff' })[colour] ?? colour
