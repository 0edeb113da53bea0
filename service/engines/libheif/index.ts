import { createRequire } from 'node:module'
import { JobFailure } from '../../errors.ts'
import type { Pixels } from '../pixels.ts'
import type { EngineReport } from '../report.ts'
import { compiled, inThread, packageFile, type ThreadWork } from '../thread.ts'

const WASM = 'libheif-js/libheif-wasm/libheif.wasm'
const GLUE = 'libheif-js/libheif-wasm/libheif.js'

interface Input {
  file: Uint8Array
  wasm: WebAssembly.Module
  glue: string
  pixelLimit: number
}

interface Decoded {
  /** What went wrong: libheif's error code, and whether it names a missing decoder. */
  error?: { code: number; message: string }
  data?: Uint8Array<ArrayBuffer>
  width: number
  height: number
  channels: 3 | 4
}

/** Error codes of libheif (heif_error.h) for types, features and sizes it does not do. */
const UNSUPPORTED = [3, 4, 6]

/**
 * Decodes the primary picture of a HEIF file with libheif: cropped and turned as the file says, 8 bits a sample,
 * in the file's own colour space; with alpha, not premultiplied, when the picture has it.
 * @throws JobFailure corrupt_input, unsupported_input, too_large
 */
export async function decodeWithLibheif(
  file: Uint8Array,
  pixelLimit: number,
  signal?: AbortSignal,
): Promise<Pixels> {
  const input = { file, wasm: await compiled(WASM), glue: packageFile(GLUE), pixelLimit }
  const { error, data, width, height, channels } = await inThread(decode, input, { signal }).catch(thrown => {
    signal?.throwIfAborted()
    // The module aborts when its memory or its patience with a damaged file is at an end.
    throw new JobFailure('jobs.corrupt_input', undefined, { cause: thrown })
  })
  if (data) return { data, width, height, channels }
  const cause = new Error(error?.message)
  if (width * height > pixelLimit)
    throw new JobFailure('jobs.too_large', 'The picture has more than 400 megapixels. Make it smaller first.')
  if (error && UNSUPPORTED.includes(error.code))
    throw new JobFailure(
      'jobs.unsupported_input',
      'The HEIC file uses a feature that cannot be read yet. Save it as a JPEG or an ordinary HEIC first.',
      { cause },
    )
  throw new JobFailure('jobs.corrupt_input', undefined, { cause })
}

/** Runs in a thread, where nothing of this file exists. */
const decode: ThreadWork<Input, Decoded> = async ({ file, wasm, glue, pixelLimit }, load) => {
  interface Failure {
    code: number | { value: number }
    message?: string
  }
  interface Channel {
    id: unknown
    width: number
    height: number
    stride: number
    data: Uint8Array
  }
  type Handle = object
  interface Libheif {
    heif_context_alloc(): object
    heif_context_read_from_memory(context: object, file: Uint8Array): Failure
    heif_js_context_get_primary_image_handle(context: object): Handle | Failure
    heif_image_handle_get_width(handle: Handle): number
    heif_image_handle_get_height(handle: Handle): number
    heif_image_handle_has_alpha_channel(handle: Handle): boolean | number
    heif_image_handle_is_premultiplied_alpha(handle: Handle): boolean | number
    heif_js_decode_image2(
      handle: Handle,
      space: unknown,
      chroma: unknown,
    ): Promise<{ channels: Channel[] } | Failure>
    heif_error_code: { heif_error_Ok: unknown }
    heif_colorspace: Record<string, unknown>
    heif_chroma: Record<string, unknown>
    heif_channel: Record<string, unknown>
  }
  const { default: create } = (await load(glue)) as { default: (options: object) => Promise<Libheif> }
  const libheif = await create({
    // At once, because the module looks for its functions as soon as it is made.
    instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
      const instance = new WebAssembly.Instance(wasm, imports)
      done(instance)
      return instance.exports
    },
    print: () => {},
    printErr: () => {},
  })
  const none = { width: 0, height: 0, channels: 3 as const }
  const failed = (failure: Failure, size = none) => {
    const code = typeof failure.code === 'object' ? failure.code.value : failure.code
    return { answer: { ...size, error: { code, message: failure.message ?? '' } }, transfer: [] }
  }

  const context = libheif.heif_context_alloc()
  const read = libheif.heif_context_read_from_memory(context, file)
  if (read.code !== libheif.heif_error_code.heif_error_Ok) return failed(read)
  const handle = libheif.heif_js_context_get_primary_image_handle(context)
  if (!handle || 'code' in handle) return failed((handle ?? { code: 2 }) as Failure)
  const size = {
    width: libheif.heif_image_handle_get_width(handle),
    height: libheif.heif_image_handle_get_height(handle),
  }
  if (size.width * size.height > pixelLimit) return failed({ code: 2 }, { ...none, ...size })
  const channels = libheif.heif_image_handle_has_alpha_channel(handle) ? 4 : 3
  const decoded = await libheif.heif_js_decode_image2(
    handle,
    libheif.heif_colorspace.heif_colorspace_RGB,
    libheif.heif_chroma[channels === 4 ? 'heif_chroma_interleaved_RGBA' : 'heif_chroma_interleaved_RGB'],
  )
  if (!decoded || 'code' in decoded) return failed((decoded ?? { code: 2 }) as Failure)
  const plane = decoded.channels.find(({ id }) => id === libheif.heif_channel.heif_channel_interleaved)
  if (!plane) return failed({ code: 2 })

  const { width, height, stride } = plane
  const line = width * channels
  const data = new Uint8Array(line * height)
  for (let row = 0; row < height; row++) {
    data.set(plane.data.subarray(row * stride, row * stride + line), row * line)
  }
  if (channels === 4 && libheif.heif_image_handle_is_premultiplied_alpha(handle)) {
    for (let at = 0; at < data.length; at += 4) {
      const alpha = data[at + 3]!
      for (let i = at; alpha > 0 && i < at + 3; i++)
        data[i] = Math.min(255, Math.round((data[i]! * 255) / alpha))
    }
  }
  return { answer: { data, width, height, channels }, transfer: [data.buffer] }
}

export async function report(): Promise<EngineReport> {
  let version: string | null = null
  try {
    const manifest = createRequire(import.meta.url)('libheif-js/package.json') as { version: string }
    version = manifest.version
  } catch {}
  return {
    name: 'libheif',
    version,
    available: version !== null,
    hint: version === null ? 'Install Refile again; a part of it is missing.' : null,
  }
}
