import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { u32 } from '../../common/iso-boxes.ts'
import type { Rectangle } from '../../common/rectangle.ts'
import { chunk, header, SIGNATURE } from '../formats/png.ts'
import type { Animation } from '../pixels.ts'

const compress = promisify(deflate)

/** A frame being written to the file. */
interface Packed {
  area: Rectangle
  delay: number
  data: Promise<Buffer>
}

/**
 * Writes an animation as APNG (PNG Specification, Third Edition), pixel for pixel: RGBA, 8 bit. Of every frame after
 * the first, only the rectangle that changed is stored.
 * @param cores number of frames compressed at the same time, while the next one is drawn
 * @throws JobFailure corrupt_input if there are no frames
 */
export async function writeApng(animation: Animation, path: string, cores = 1): Promise<void> {
  const { width, height, delays, loop } = animation
  await using file = await open(path, 'w')
  const packed: Packed[] = []
  let sequence = 0
  let written = 0
  const writeNext = async () => {
    const { area, delay, data } = packed.shift()!
    await file.write(chunk('fcTL', frameControl(sequence++, area, delay)))
    if (written++ === 0) await file.write(chunk('IDAT', await data))
    else await file.write(chunk('fdAT', u32(sequence++), await data))
  }
  await file.write(SIGNATURE)
  await file.write(chunk('IHDR', header({ width, height, depth: 8, colorType: 6 })))
  const control = SIGNATURE.length + 25
  await file.write(chunk('acTL', u32(animation.frameCount, loop)))
  let count = 0
  let previous: Uint8Array | undefined
  for await (const frame of animation.frames) {
    if (frame.length !== width * height * 4) throw new JobFailure('jobs.corrupt_input')
    const area = previous ? changedArea(frame, previous, width) : { x: 0, y: 0, width, height }
    const data = compress(filterRows(frame, width, area), { level: 6 })
    // An error is reported when the frame's turn comes.
    data.catch(() => {})
    packed.push({ area, delay: delays[count++] ?? 100, data })
    if (packed.length > cores) await writeNext()
    // The buffer belongs to the caller, who may draw the next frame into it.
    previous = Uint8Array.from(frame)
  }
  while (packed.length > 0) await writeNext()
  if (count === 0) throw new JobFailure('jobs.corrupt_input', message('animation.no_frames'))
  await file.write(chunk('IEND'))
  // The count comes before the frames, and a damaged source may have yielded fewer than it announced.
  const actual = chunk('acTL', u32(count, loop))
  await file.write(actual, 0, actual.length, control)
}

/** fcTL: keeps what was drawn and replaces the area; the delay is a fraction with 16-bit terms. */
function frameControl(sequence: number, area: Rectangle, delay: number): Buffer {
  const bytes = Buffer.alloc(26)
  u32(sequence, area.width, area.height, area.x, area.y).copy(bytes)
  const milliseconds = Math.round(delay)
  const [numerator, denominator] =
    milliseconds <= 65_535 ? [milliseconds, 1000] : [Math.min(65_535, Math.round(delay / 100)), 10]
  bytes.writeUInt16BE(numerator, 20)
  bytes.writeUInt16BE(denominator, 22)
  return bytes
}

/** Smallest rectangle that contains all differences between two frames; one pixel if they are equal. */
function changedArea(frame: Uint8Array, previous: Uint8Array, width: number): Rectangle {
  const now = wordsOf(frame)
  const before = wordsOf(previous)
  let first = 0
  while (first < now.length && now[first] === before[first]) first++
  if (first === now.length) return { x: 0, y: 0, width: 1, height: 1 }
  let last = now.length - 1
  while (now[last] === before[last]) last--
  const top = Math.floor(first / width)
  const bottom = Math.floor(last / width)
  let left = width - 1
  let right = 0
  for (let y = top; y <= bottom; y++) {
    const row = y * width
    for (let x = 0; x < left; x++) if (now[row + x] !== before[row + x]) left = x
    for (let x = width - 1; x > right; x--) if (now[row + x] !== before[row + x]) right = x
  }
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
}

/** Rows of an area with PNG's filter 2, the difference from the row above. */
function filterRows(frame: Uint8Array, width: number, area: Rectangle): Buffer {
  const bytes = area.width * 4
  const rows = Buffer.allocUnsafe((bytes + 1) * area.height)
  const pixels = wordsOf(frame)
  const row = new Uint32Array(area.width)
  const rowBytes = new Uint8Array(row.buffer)
  for (let y = 0; y < area.height; y++) {
    const from = (area.y + y) * width + area.x
    const to = y * (bytes + 1)
    rows[to] = y === 0 ? 0 : 2
    if (y === 0) row.set(pixels.subarray(from, from + area.width))
    else {
      for (let x = 0; x < area.width; x++) {
        const value = pixels[from + x]!
        const above = pixels[from - width + x]!
        // Four bytes at once, without borrowing between them.
        row[x] = ((value | 0x80808080) - (above & 0x7f7f7f7f)) ^ ((value ^ ~above) & 0x80808080)
      }
    }
    rows.set(rowBytes, to + 1)
  }
  return rows
}

/** Pixels as 32-bit words, in the machine's byte order. */
const wordsOf = (bytes: Uint8Array): Uint32Array =>
  bytes.byteOffset % 4 === 0
    ? new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
    : new Uint32Array(Uint8Array.from(bytes).buffer)
