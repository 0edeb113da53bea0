import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { checkPixels, PIXEL_LIMIT } from '../../common/limits.ts'
import { compiled, inThread } from '../../common/thread.ts'
import type { Pixels } from '../pixels.ts'

const WASM = 'libheif-js/libheif-wasm/libheif.wasm'

/** libheif's error codes (heif_error.h) for unsupported types, features and sizes. */
const UNSUPPORTED = [3, 4, 6]

/**
 * Decodes the primary picture of a HEIF file with libheif: cropped and rotated as the file says, 8 bits per sample, in
 * the file's own colour space; with alpha, not premultiplied, if the picture has it.
 * @throws JobFailure corrupt_input, unsupported_input, too_large
 */
export async function decodeWithLibheif(file: Uint8Array): Promise<Pixels> {
  const input = { file, wasm: await compiled(WASM), pixelLimit: PIXEL_LIMIT }
  const { error, data, width, height, channels } = await inThread('libheif', input).catch(thrown => {
    // The module aborts if a damaged file exceeds its memory or its own limits.
    throw new JobFailure('jobs.corrupt_input', undefined, { cause: thrown })
  })
  if (data) return { data, width, height, channels }
  const cause = new Error(error?.message)
  checkPixels(width, height)
  if (error && UNSUPPORTED.includes(error.code))
    throw new JobFailure('jobs.unsupported_input', message('heic.unsupported'), { cause })
  throw new JobFailure('jobs.corrupt_input', undefined, { cause })
}
