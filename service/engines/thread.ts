/**
 * Runs a WebAssembly engine in a thread of its own. Its memory, which never shrinks, goes back to the system as
 * soon as the answer is there, and whatever state a damaged file left it in is gone. Compiled code is shared with
 * the thread, so that later runs are as fast as in a warm process.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { JobFailure } from '../errors.ts'

const { resolve } = createRequire(import.meta.url)
const modules = new Map<string, Promise<WebAssembly.Module>>()

/** Address of a package's file, for `load` in a thread. */
export const packageFile = (specifier: string): string => pathToFileURL(resolve(specifier)).href

/** A package's WebAssembly, compiled once in this process. Throws `JobFailure` engine_missing. */
export async function compiled(specifier: string): Promise<WebAssembly.Module> {
  let module = modules.get(specifier)
  if (!module) {
    module = readFile(resolve(specifier)).then(bytes => WebAssembly.compile(bytes))
    modules.set(specifier, module)
  }
  try {
    return await module
  } catch (error) {
    modules.delete(specifier)
    throw new JobFailure('jobs.engine_missing', undefined, { cause: error })
  }
}

/** Work for a thread: gets its input and a way to import modules, and says which buffers to hand over uncopied. */
export type ThreadWork<Input, Answer> = (
  input: Input,
  load: (url: string) => Promise<unknown>,
) => Promise<{ answer: Answer; transfer: ArrayBuffer[] }>

/**
 * Runs `work` in a new thread. It is sent there as text, because a bundle has no file for it: it may use its
 * arguments and globals, nothing around it.
 * @param options.transfer buffers of `input` to hand over uncopied; they are gone from here afterwards
 * @throws the signal's reason when aborted; an `Error` with the message of what `work` threw
 */
export async function inThread<Input, Answer>(
  work: ThreadWork<Input, Answer>,
  input: Input,
  { signal, transfer = [] }: { signal?: AbortSignal | undefined; transfer?: ArrayBuffer[] } = {},
): Promise<Answer> {
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const thread = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads')
    const work = ${work.toString()}
    work(workerData, url => import(url)).then(
      ({ answer, transfer }) => parentPort.postMessage({ answer }, transfer),
      error => parentPort.postMessage({ error: String(error?.message ?? error) }),
    )`,
    { eval: true, workerData: input, transferList: transfer, env: {}, argv: [], execArgv: [] },
  )
  const onAbort = () => reject(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  thread.on('message', (message: { answer: Answer } | { error: string }) => {
    if ('error' in message) reject(new Error(message.error))
    else resolve(message.answer)
  })
  thread.on('error', reject)
  thread.on('exit', code => reject(new Error(`thread ended with ${code}`)))
  try {
    return await promise
  } finally {
    signal?.removeEventListener('abort', onAbort)
    await thread.terminate()
  }
}
