import create, { type heif_error } from 'libheif-js/libheif-wasm/libheif.js'
import type { ThreadResult } from '../../common/thread-result.ts'
import { unpremultiply } from '../pixels.ts'

export interface DecodeInput {
  file: Uint8Array
  wasm: WebAssembly.Module
  pixelLimit: number
}

export interface DecodeOutput {
  /** What went wrong: libheif's error code, and whether it names a missing decoder. */
  error?: { code: number; message: string }
  data?: Uint8Array<ArrayBuffer>
  width: number
  height: number
  channels: 3 | 4
}

/** Decodes the primary picture of one file, in its own thread. */
export async function decode({ file, wasm, pixelLimit }: DecodeInput): Promise<ThreadResult<DecodeOutput>> {
  const libheif = create({
    // Synchronously, because the module looks up its functions as soon as it is created.
    instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
      const instance = new WebAssembly.Instance(wasm, imports)
      done(instance)
      return instance.exports
    },
    print: () => {},
    printErr: () => {},
  })
  const none = { width: 0, height: 0, channels: 3 as const }
  const { heif_error_code: codes, heif_colorspace, heif_chroma, heif_channel } = libheif
  const damaged = { code: codes.heif_error_Invalid_input, message: '' }
  const failed = ({ code, message }: Pick<heif_error, 'code' | 'message'>, size = none) => ({
    answer: { ...size, error: { code: code.value, message: String(message) } },
    transfer: [],
  })

  const context = libheif.heif_context_alloc()
  const read = libheif.heif_context_read_from_memory(context, file)
  if (read.code !== codes.heif_error_Ok) return failed(read)
  const handle = libheif.heif_js_context_get_primary_image_handle(context)
  if (!handle || 'code' in handle) return failed(handle ?? damaged)
  const size = {
    width: libheif.heif_image_handle_get_width(handle),
    height: libheif.heif_image_handle_get_height(handle),
  }
  if (size.width * size.height > pixelLimit) return failed(damaged, { ...none, ...size })
  const channels = libheif.heif_image_handle_has_alpha_channel(handle) ? 4 : 3
  const decoded = await libheif.heif_js_decode_image2(
    handle,
    heif_colorspace.heif_colorspace_RGB,
    heif_chroma[channels === 4 ? 'heif_chroma_interleaved_RGBA' : 'heif_chroma_interleaved_RGB'],
  )
  if (!decoded || 'code' in decoded) return failed(decoded ?? damaged)
  const planes: { id: unknown; width: number; height: number; stride: number; data: Uint8Array }[] =
    decoded.channels
  const plane = planes.find(({ id }) => id === heif_channel.heif_channel_interleaved)
  if (!plane) return failed(damaged)

  const { width, height, stride } = plane
  const line = width * channels
  const data = new Uint8Array(line * height)
  for (let row = 0; row < height; row++) {
    data.set(plane.data.subarray(row * stride, row * stride + line), row * line)
  }
  if (channels === 4 && libheif.heif_image_handle_is_premultiplied_alpha(handle)) unpremultiply(data)
  return { answer: { data, width, height, channels }, transfer: [data.buffer] }
}
