/**
 * Runs a WebAssembly engine in a thread of its own. Its memory, which never shrinks, is freed as soon as the answer is
 * there, and any state that a damaged file left behind is gone. Compiled code is shared with the thread, so later runs
 * are as fast as in a warm process.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { JobFailure } from '../../../shared/errors.ts'
import type { ThreadWorks } from './thread-entry.ts'

const { resolve } = createRequire(import.meta.url)
const modules = new Map<string, Promise<WebAssembly.Module>>()

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

/** The thread's script: beside this one in the sources, or beside the bundle. */
const ENTRY = join(import.meta.dirname, `thread-entry${extname(import.meta.filename)}`)

type Input<Name extends keyof ThreadWorks> = Parameters<ThreadWork<Name>>[0]
type Answer<Name extends keyof ThreadWorks> = Awaited<ReturnType<ThreadWork<Name>>>['answer']
type ThreadWork<Name extends keyof ThreadWorks> = Awaited<ReturnType<ThreadWorks[Name]>>

/**
 * Runs an engine's work in a new thread, which ends with it.
 * @param name of the work in thread-entry.ts
 * @param transfer buffers of `input` to transfer without copying; they are detached here afterwards
 * @throws an `Error` with the message of what the work threw
 */
export async function inThread<Name extends keyof ThreadWorks>(
  name: Name,
  input: Input<Name>,
  transfer: ArrayBuffer[] = [],
): Promise<Answer<Name>> {
  const thread = startThread(name, input, transfer)
  try {
    return await answerOf<Answer<Name>>(thread)
  } finally {
    await thread.terminate()
  }
}

/** Starts a thread that does an engine's work, for callers that need more than one answer. It must be terminated. */
export const startThread = <Name extends keyof ThreadWorks>(
  name: Name,
  input: Input<Name>,
  transfer: ArrayBuffer[] = [],
): Worker =>
  new Worker(ENTRY, { workerData: { name, input }, transferList: transfer, env: {}, argv: [], execArgv: [] })

/** The next answer of a thread. @throws an `Error` with the message of what the work threw, or if the thread ends */
export async function answerOf<T>(thread: Worker): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const onMessage = (message: { answer: T } | { error: string }) => {
    if ('error' in message) reject(new Error(message.error))
    else resolve(message.answer)
  }
  const onExit = (code: number) => reject(new Error(`thread ended with ${code}`))
  thread.once('message', onMessage).once('error', reject).once('exit', onExit)
  try {
    return await promise
  } finally {
    thread.off('message', onMessage).off('error', reject).off('exit', onExit)
  }
}
