/** The samples of pictures, as sharp yields them row by row. */
import type { Pixels } from '../pixels.ts'
import { sharpFailure } from './failure.ts'
import type { Sharp } from './load.ts'

async function rowsOf(picture: Sharp, depth: 'uchar' | 'ushort') {
  try {
    return await picture.raw({ depth }).toBuffer({ resolveWithObject: true })
  } catch (error) {
    throw sharpFailure(error)
  }
}

/** Samples of 8 or 16 bits, in the colours of the pipeline. @throws JobFailure */
export async function samplesOf(
  picture: Sharp,
  highBitDepth: boolean,
): Promise<Pick<Pixels, 'width' | 'height' | 'channels'> & { data: Uint8Array | Uint16Array }> {
  const { data, info } = await rowsOf(picture, highBitDepth ? 'ushort' : 'uchar')
  const { width, height, channels } = info
  const samples = highBitDepth ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data
  return { data: samples, width, height, channels: channels as Pixels['channels'] }
}

/** RGBA of 8 bits in sRGB. @throws JobFailure */
export const rgbaOf = async (picture: Sharp): Promise<Buffer> =>
  (await rowsOf(picture.toColourspace('srgb').ensureAlpha(), 'uchar')).data
