import type { ThreadWork } from '../thread.ts'

export interface Undeveloped {
  file: Uint8Array
  wasm: WebAssembly.Module
  glue: string
  pixelLimit: number
}

export interface Developed {
  /** What LibRaw stumbled over; whatever else there is then comes from a damaged file. */
  problem?: string
  data?: Uint8Array<ArrayBuffer>
  width?: number
  height?: number
  colours?: number
}

/** Runs in a thread, where nothing of this file exists. */
export const develop: ThreadWork<Undeveloped, Developed> = async (input, load) => {
  interface Picture {
    width: number
    height: number
    colors: number
    bits: number
    data: Uint8Array<ArrayBuffer>
  }
  interface LibRaw {
    open(file: Uint8Array, settings: Record<string, unknown>): void
    metadata(full: boolean): { width: number; height: number } | undefined
    imageData(): Picture | undefined
  }
  const { default: create } = (await load(input.glue)) as {
    default: (options: object) => Promise<{ LibRaw: new () => LibRaw }>
  }
  let problem: string | undefined
  const { LibRaw } = await create({
    instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
      void WebAssembly.instantiate(input.wasm, imports).then(done)
      return {}
    },
    print: () => {},
    // LibRaw goes on with damaged data and only says so here.
    printErr: (line: string) => {
      if (/data corrupted|unexpected end of file/i.test(line)) problem ??= line
    },
  })

  const attempt = <T>(step: string, action: () => T | undefined): T | undefined => {
    try {
      return action()
    } catch (error) {
      // C++ exceptions come as objects that say nothing.
      problem ??= error instanceof Error ? error.message : step
      return undefined
    }
  }
  const raw = new LibRaw()
  const { file } = input
  attempt('open', () => raw.open(file, { useCameraWb: true, outputColor: 1, outputBps: 8, userQual: 3 }))
  const fileSize = file.length
  // LibRaw has its own copy.
  ;(file.buffer as ArrayBuffer).transfer(0)
  if (problem) return { answer: { problem }, transfer: [] }

  const size = attempt('metadata', () => raw.metadata(false))
  const { width = 0, height = 0 } = size ?? {}
  if (width * height > input.pixelLimit) return { answer: { width, height }, transfer: [] }
  // Not even a black picture packs this small. Some of LibRaw's decoders read zeros beyond the end without a word.
  if (fileSize < (width * height) / 256) problem = 'no picture data'
  const picture = problem ? undefined : attempt('develop', () => raw.imageData())
  if (picture && picture.bits === 8 && !problem) {
    const { data, width, height, colors } = picture
    return { answer: { data, width, height, colours: colors }, transfer: [data.buffer] }
  }
  return { answer: { problem: problem ?? 'no picture' }, transfer: [] }
}
