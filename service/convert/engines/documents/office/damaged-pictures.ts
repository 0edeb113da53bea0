/**
 * Finds damaged PNG pictures in documents. The library that reads them in LibreOffice leaves a damaged picture by a long
 * jump, which WebAssembly does not have, so one such picture would end the program. All other pictures are safe.
 */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflate } from 'node:zlib'
import { hasRightSum, readChunks, SIGNATURE } from '../../pictures/formats/png.ts'
import { recordsOf } from './binary-encryption.ts'

/** Samples of a pixel by colour type: PNG Specification, Third Edition, 11.2.1. */
const SAMPLES = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
])

/**
 * Takes their signature from damaged pictures, in place, so that LibreOffice does not read them.
 * @param content any part of a document that may contain pictures
 * @returns number of damaged pictures
 */
export async function hideDamagedPictures(content: Buffer): Promise<number> {
  let damaged = 0
  for (let at = content.indexOf(SIGNATURE); at >= 0; at = content.indexOf(SIGNATURE, at + 1)) {
    if (await isSound(content.subarray(at))) continue
    content[at] = 0
    damaged++
  }
  return damaged
}

/** The same for the hexadecimal pictures of RTF. */
export async function withoutDamagedHexPictures(text: string): Promise<{ text: string; damaged: number }> {
  const parts: string[] = []
  let damaged = 0
  let end = 0
  for (const { 0: digits, index } of text.matchAll(/89504e470d0a1a0a[\da-f\s]*/gi)) {
    if (await isSound(Buffer.from(digits.replace(/\s/g, ''), 'hex'))) continue
    parts.push(text.slice(end, index), '00')
    end = index + 2
    damaged++
  }
  return { text: damaged > 0 ? parts.join('') + text.slice(end) : text, damaged }
}

/** Records of the drawing objects of a workbook, and of what continues them: [MS-XLS] 2.4.171 and 2.4.58. */
const DRAWINGS = 0xeb
const CONTINUED = 0x3c

/** The same for the main stream of a workbook, whose records divide pictures into pieces. */
export async function hideDamagedInRecords(stream: Buffer): Promise<number> {
  const pieces: Buffer[] = []
  let isDrawing = false
  for (const { type, start, end } of recordsOf(stream)) {
    isDrawing = type === DRAWINGS || (isDrawing && type === CONTINUED)
    if (isDrawing) pieces.push(stream.subarray(start, end))
  }
  const joined = Buffer.concat(pieces)
  const damaged = await hideDamagedPictures(joined)
  let at = 0
  for (const piece of pieces) at += joined.copy(piece, 0, at, at + piece.length)
  return damaged
}

/** Whether all rows of a picture can be read: its critical chunks are whole, and its data unpack to as many bytes. */
async function isSound(png: Buffer): Promise<boolean> {
  let bytes = 0
  let isWhole = false
  const parts: Buffer[] = []
  for (const { type, data, whole } of readChunks(png)) {
    const isCritical = /^[A-Z]/.test(type)
    if (isCritical && !hasRightSum(whole)) return false
    if (type === 'IHDR' && data.length === 13) bytes = bytesOf(data)
    else if (type === 'IDAT') parts.push(data)
    else if (type === 'IEND') isWhole = true
    else if (isCritical && type !== 'PLTE') return false
  }
  return isWhole && bytes > 0 && (await unpacksTo(parts, bytes))
}

/** Minimum size of the unpacked data of a picture, from its header. */
function bytesOf(header: Buffer): number {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const bits = header[8]! * (SAMPLES.get(header[9]!) ?? 0)
  // The passes of an interlaced picture need a few bytes more.
  return height * Math.ceil((width * bits) / 8)
}

async function unpacksTo(data: readonly Buffer[], bytes: number): Promise<boolean> {
  let count = 0
  try {
    await pipeline(Readable.from(data), createInflate(), async unpacked => {
      for await (const part of unpacked) {
        count += part.length
        if (count >= bytes) return
      }
    })
  } catch {
    // Data that are damaged further on do not count.
  }
  return count >= bytes
}
