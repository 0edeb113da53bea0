/**
 * Turns audiobooks (M4B) and other audio-only MP4 files into M4A by copying the file: only the brand differs, so tags,
 * cover and chapters stay the same, bit for bit.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { copyContent } from '../../common/copy-content.ts'
import { below, boxesAt, boxesBetween, type FileBox, handlerOf } from '../../common/iso-boxes-in-file.ts'
import { readAt } from '../../common/read-at.ts'

/** Longest accepted list of brands, in bytes. */
const BRANDS_LIMIT = 1024

/** How many data boxes a file may have; more than one is rare. */
const DATA_LIMIT = 16

/** How many bytes of a chunk table are read at a time. */
const BLOCK_BYTES = 1 << 20

/**
 * Copies an MP4 file under the brand of M4A.
 * @returns false, with nothing written, if more than the brand would have to change: it is not an MP4 file or is a
 * QuickTime video, has more tracks than one of audio and its chapters, is in fragments, or is incomplete
 */
export async function copyAsM4a(input: string, output: string): Promise<boolean> {
  const file = await open(input, 'r')
  let brands: Buffer | null
  try {
    brands = (await isPlain(file)) ? await readBrands(file) : null
  } finally {
    await file.close()
  }
  if (!brands) return false
  await copyContent(input, output)
  const copy = await open(output, 'r+')
  try {
    await copy.write(brands, 0, brands.length, 8)
  } finally {
    await copy.close()
  }
  return true
}

/** The content of the `ftyp` box with the brand of M4A: the major brand, its version, and the compatible brands. */
async function readBrands(file: FileHandle): Promise<Buffer | null> {
  for await (const { type, start, end } of boxesBetween(file, 0, (await file.stat()).size)) {
    if (type !== 'ftyp' || start !== 8 || end - start < 8 || end - start > BRANDS_LIMIT) return null
    const content = await readAt(file, start, end - start)
    const brandAt = (at: number) => content.toString('latin1', at, at + 4)
    if (brandAt(0) === 'qt  ') return null
    const compatible = Array.from({ length: (content.length - 8) >> 2 }, (_, index) => 8 + index * 4)
    const own = compatible.filter(at => /^M4[AB] $/.test(brandAt(at)))
    // There is no room to add a brand, so the last and least important one is replaced.
    for (const at of [0, ...(own.length > 0 ? own : compatible.slice(-1))])
      content.write('M4A ', at, 'latin1')
    return content
  }
  return null
}

async function isPlain(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat()
  const top: FileBox[] = []
  for await (const box of boxesBetween(file, 0, size)) top.push(box)
  const data = top.filter(({ type }) => type === 'mdat')
  const whole = top.every(box => box.whole) && top.at(-1)?.end === size
  const counts = (type: string) => top.filter(box => box.type === type).length
  if (!whole || data.length > DATA_LIMIT || counts('moov') !== 1 || counts('moof') !== 0) return false
  for await (const _ of boxesAt(file, 'moov', 'mvex')) return false
  let audioTracks = 0
  for await (const track of boxesAt(file, 'moov', 'trak')) {
    const kind = await handlerOf(file, track)
    if (kind === 'soun') audioTracks++
    else if (kind !== 'text') return false
    if (!(await isWithin(file, track, data))) return false
  }
  return audioTracks === 1
}

/** Whether a track has chunks that are all in the file's own data. */
async function isWithin(file: FileHandle, track: FileBox, data: readonly FileBox[]): Promise<boolean> {
  for await (const { start, end } of below(file, track, ['mdia', 'minf', 'dinf', 'dref'])) {
    for await (const reference of boxesBetween(file, start + 8, end)) {
      // Its lowest flag says that the data are in this file.
      if (((await readAt(file, reference.start, 4))[3] ?? 0) % 2 === 0) return false
    }
  }
  const table = ['mdia', 'minf', 'stbl']
  for (const [type, bytes] of [
    ['stco', 4],
    ['co64', 8],
  ] as const) {
    for await (const { start, end } of below(file, track, [...table, type])) {
      const head = await readAt(file, start, 8)
      const count = head.length === 8 ? head.readUInt32BE(4) : 0
      if (count === 0 || start + 8 + count * bytes > end) return false
      for (let at = start + 8; at < start + 8 + count * bytes; at += BLOCK_BYTES) {
        const block = await readAt(file, at, Math.min(BLOCK_BYTES, start + 8 + count * bytes - at))
        for (let index = 0; index + bytes <= block.length; index += bytes) {
          const chunk = bytes === 4 ? block.readUInt32BE(index) : Number(block.readBigUInt64BE(index))
          if (!data.some(box => chunk >= box.start && chunk < box.end)) return false
        }
      }
      return true
    }
  }
  return false
}
