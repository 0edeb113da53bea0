import create from 'libraw-wasm/dist/libraw.js'
import type { ThreadResult } from '../../common/thread-result.ts'

export interface DevelopInput {
  file: Uint8Array
  wasm: WebAssembly.Module
  pixelLimit: number
}

export interface DevelopOutput {
  /** LibRaw's complaint: the file is damaged, and the picture cannot be trusted. */
  problem?: string
  data?: Uint8Array<ArrayBuffer>
  width?: number
  height?: number
  colours?: number
}

/** Develops one file, in its own thread. */
export async function develop({
  file,
  wasm,
  pixelLimit,
}: DevelopInput): Promise<ThreadResult<DevelopOutput>> {
  let problem: string | undefined
  const { LibRaw } = await create({
    instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
      void WebAssembly.instantiate(wasm, imports).then(done)
      return {}
    },
    print: () => {},
    // LibRaw continues with damaged data and only reports it here.
    printErr: (line: string) => {
      if (/data corrupted|unexpected end of file/i.test(line)) problem ??= line
    },
  })

  const attempt = <T>(step: string, action: () => T | undefined): T | undefined => {
    try {
      return action()
    } catch (error) {
      // C++ exceptions arrive as objects without a message.
      problem ??= error instanceof Error ? error.message : step
      return undefined
    }
  }
  const raw = new LibRaw()
  attempt('open', () => raw.open(file, { useCameraWb: true, outputColor: 1, outputBps: 8, userQual: 3 }))
  const fileSize = file.length
  // LibRaw has copied the file, so its memory is freed.
  ;(file.buffer as ArrayBuffer).transfer(0)
  if (problem) return { answer: { problem }, transfer: [] }

  const size = attempt('metadata', () => raw.metadata(false))
  const { width = 0, height = 0 } = size ?? {}
  if (width * height > pixelLimit) return { answer: { width, height }, transfer: [] }
  // Even a black picture takes more bytes. Some of LibRaw's decoders silently read zeros beyond the end.
  if (fileSize < (width * height) / 256) problem = 'no picture data'
  const picture = problem ? undefined : attempt('develop', () => raw.imageData())
  if (picture && picture.bits === 8 && !problem) {
    const { data, width, height, colors } = picture
    return { answer: { data, width, height, colours: colors }, transfer: [data.buffer] }
  }
  return { answer: { problem: problem ?? 'no picture' }, transfer: [] }
}
