import create from 'libraw-wasm/dist/libraw.js'
import type { ThreadResult } from '../thread-entry.ts'

export interface Undeveloped {
  file: Uint8Array
  wasm: WebAssembly.Module
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

/** Develops one file, in a thread of its own. */
export async function develop({ file, wasm, pixelLimit }: Undeveloped): Promise<ThreadResult<Developed>> {
  let problem: string | undefined
  const { LibRaw } = await create({
    instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
      void WebAssembly.instantiate(wasm, imports).then(done)
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
  attempt('open', () => raw.open(file, { useCameraWb: true, outputColor: 1, outputBps: 8, userQual: 3 }))
  const fileSize = file.length
  // LibRaw has its own copy.
  ;(file.buffer as ArrayBuffer).transfer(0)
  if (problem) return { answer: { problem }, transfer: [] }

  const size = attempt('metadata', () => raw.metadata(false))
  const { width = 0, height = 0 } = size ?? {}
  if (width * height > pixelLimit) return { answer: { width, height }, transfer: [] }
  // Not even a black picture packs this small. Some of LibRaw's decoders read zeros beyond the end without a word.
  if (fileSize < (width * height) / 256) problem = 'no picture data'
  const picture = problem ? undefined : attempt('develop', () => raw.imageData())
  if (picture && picture.bits === 8 && !problem) {
    const { data, width, height, colors } = picture
    return { answer: { data, width, height, colours: colors }, transfer: [data.buffer] }
  }
  return { answer: { problem: problem ?? 'no picture' }, transfer: [] }
}
