/**
 * The office engine of this process: one LibreOffice, kept warm from document to document. It is started anew when it
 * lacks a font that a document needs, when it has failed, and when it has grown too large, since the memory of
 * WebAssembly never shrinks; what was compiled stays with the process, so that this takes a fraction of the first start.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { Worker } from 'node:worker_threads'
import { JobFailure } from '../../errors.ts'
import { message } from '../../messages/message.ts'
import { answerOf, startThread } from '../thread.ts'
import type { KitAnswer, KitRequest } from './kit.ts'
import { sofficeFolder } from './module.ts'

interface Running {
  thread: Worker
  fonts: ReadonlySet<string>
}

/** Resident size from which on LibreOffice is started anew: once it has been busy with large documents. */
const RECYCLE_BYTES = 1.6 * 2 ** 30

/** Most files of fonts that are kept for later documents. */
const FONT_LIMIT = 40

/** How the program says that its memory is full. */
const OUT_OF_MEMORY = /out of memory|OOM|bad_alloc|Cannot enlarge memory|RangeError: Array buffer/i

let compiling: Promise<WebAssembly.Module> | undefined
let running: Running | undefined

/**
 * Settings of V8 for a program of 147 MB of which a document needs a small part: functions are validated when they are first
 * called (compiling it takes 0.25 instead of 0.75 seconds of processor time), and optimised later than usual, which on two
 * cores halves the time to the first document.
 */
const V8_FLAGS = ['--wasm-lazy-validation', '--wasm-tiering-budget=100000000']

/** The program compiled, once in this process. */
async function compile(): Promise<WebAssembly.Module> {
  // Where Electron has set V8 up, its flags may be fixed, and V8 ends the process that changes them.
  if (!process.versions.electron) for (const flag of V8_FLAGS) setFlagsFromString(flag)
  return WebAssembly.compile(await readFile(join(sofficeFolder(), 'soffice.wasm')))
}

async function start(fonts: ReadonlySet<string>): Promise<Running> {
  compiling ??= compile()
  try {
    const thread = startThread('office', {
      folder: sofficeFolder(),
      wasm: await compiling,
      fonts: [...fonts],
    })
    await answerOf<null>(thread)
    return { thread, fonts }
  } catch (cause) {
    compiling = undefined
    throw new JobFailure('jobs.engine_missing', message('office.engine_missing'), { cause })
  }
}

/** Ends LibreOffice, if it runs. */
export async function stop(): Promise<void> {
  const ended = running
  running = undefined
  await ended?.thread.terminate()
}

/** LibreOffice with at least these fonts; those it had stay, lest documents in turn have it start over and over. */
async function withFonts(fonts: readonly string[]): Promise<Running> {
  const missing = fonts.some(font => !running?.fonts.has(font))
  if (running && !missing) return running
  const all = new Set([...(running?.fonts ?? []), ...fonts])
  await stop()
  running = await start(all.size > FONT_LIMIT ? new Set(fonts) : all)
  return running
}

/**
 * Has LibreOffice convert a document.
 * @param fonts files of fonts that the document needs beside those that LibreOffice brings
 * @throws JobFailure engine_missing when it does not start, too_large or engine_crashed when it breaks down on the document
 */
export async function convertDocument(request: KitRequest, fonts: readonly string[]): Promise<KitAnswer> {
  const { thread } = await withFonts(fonts)
  try {
    thread.postMessage(request)
    const answer = await answerOf<KitAnswer>(thread)
    if (process.memoryUsage.rss() > RECYCLE_BYTES) await stop()
    return answer
  } catch (cause) {
    await stop()
    const isTooLarge = cause instanceof Error && OUT_OF_MEMORY.test(cause.message)
    throw new JobFailure(isTooLarge ? 'jobs.too_large' : 'jobs.engine_crashed', undefined, { cause })
  }
}
