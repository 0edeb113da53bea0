import { JobFailure } from '../../../../shared/errors.ts'
import { isDamage } from '../../common/damage.ts'
import { readHeader } from './header.ts'
import { readRuns } from './rle.ts'
import { type Bitmap, readPalette, readSamples } from './samples.ts'

/** Size of the header before the bitmap's own. */
const FILE_HEADER = 14

/** Sizes of the headers that Windows writes. */
const WINDOWS_HEADERS = new Set([40, 52, 56, 108, 124])

/** Whether a file begins with the bitmap's own header, as pictures from the Windows clipboard do (`.dib`). */
const isBare = (file: Buffer): boolean =>
  WINDOWS_HEADERS.has(file.readUInt32LE(0)) && file.readUInt16LE(12) === 1

/**
 * Reads a BMP file, also one without a file header. Missing parts of a truncated file are transparent.
 * @throws JobFailure corrupt_input, unsupported_input, too_large
 */
export function readBmp(file: Buffer): Bitmap {
  try {
    const headerless = isBare(file)
    if (!headerless && file.toString('latin1', 0, 2) !== 'BM') throw new JobFailure('jobs.corrupt_input')
    const at = headerless ? 0 : FILE_HEADER
    const header = readHeader(file, at)
    const after = at + header.palette.offset
    const stated = headerless ? 0 : file.readUInt32LE(10)
    // Some writers omit the offset of the samples.
    const samples = stated >= after ? stated : after + header.palette.count * header.palette.entryBytes
    const palette = readPalette(file, at, header, stated > after ? stated : file.length)
    const read = header.compression === 'none' ? readSamples : readRuns
    const bitmap = read(file, samples, header, palette)
    const { profile } = header
    if (!profile || profile.bytes === 0) return bitmap
    const icc = file.subarray(at + profile.offset, at + profile.offset + profile.bytes)
    return icc.length === profile.bytes ? { ...bitmap, pixels: { ...bitmap.pixels, icc } } : bitmap
  } catch (error) {
    // A read past the end of the file.
    throw isDamage(error) ? new JobFailure('jobs.corrupt_input', undefined, { cause: error }) : error
  }
}
