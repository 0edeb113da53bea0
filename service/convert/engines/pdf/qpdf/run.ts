import create from '@neslinesli93/qpdf-wasm'
import type { ThreadResult } from '../../common/thread-result.ts'

interface QpdfInput {
  file: Uint8Array
  args: readonly string[]
}

/** Exit status of qpdf for a file that it cannot read at all. */
const FAILED = 2

/** Rewrites a file in a thread of its own. @throws Error with qpdf's messages, if it cannot read the file */
export async function run({ file, args }: QpdfInput): Promise<ThreadResult<Uint8Array<ArrayBuffer>>> {
  const messages: number[] = []
  const { callMain, FS } = await create({
    preRun: module =>
      module.FS.init(
        () => null,
        () => {},
        byte => messages.push(byte),
      ),
  })
  FS.writeFile('/in.pdf', file)
  const status = callMain([...args, '/in.pdf', '/out.pdf'])
  if (status === FAILED) throw new Error(Buffer.from(messages).toString())
  const answer = FS.readFile('/out.pdf')
  return { answer, transfer: [answer.buffer] }
}
