/**
 * The office engine of this process: one LibreOffice, kept running between documents. It is restarted when it lacks a
 * font that a document needs, when it has failed, and when it has grown too large, because WebAssembly memory never
 * shrinks. The compiled module is kept, so a restart takes a fraction of the time of the first start.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { Worker } from 'node:worker_threads'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { libreOfficeFolder } from '../../../../shared/model-folders.ts'
import { answerOf, startThread } from '../../common/thread.ts'
import type { KitAnswer, KitRequest } from './kit.ts'

interface Running {
  thread: Worker
  fonts: ReadonlySet<string>
}

/** Resident size above which LibreOffice is restarted; only large documents make it grow this far. */
const RECYCLE_BYTES = 1.6 * 2 ** 30

/** Maximum number of font files that are kept for later documents. */
const FONT_LIMIT = 40

/** Messages of the program when it runs out of memory. */
const OUT_OF_MEMORY = /out of memory|OOM|bad_alloc|Cannot enlarge memory|RangeError: Array buffer/i

let compiling: Promise<WebAssembly.Module> | undefined
let running: Running | undefined

/**
 * V8 settings for a program of 147 MB, of which a document uses only a small part. Functions are validated on their first
 * call (compilation takes 0.25 instead of 0.75 seconds of processor time) and optimised later than usual, which halves the
 * time to the first document on two cores.
 */
const V8_FLAGS = ['--wasm-lazy-validation', '--wasm-tiering-budget=100000000']

/** Compiles the program; done once per process. */
async function compile(folder: string): Promise<WebAssembly.Module> {
  // Under Electron the V8 flags may be frozen, and changing frozen flags terminates the process.
  if (!process.versions.electron) for (const flag of V8_FLAGS) setFlagsFromString(flag)
  return WebAssembly.compile(await readFile(join(folder, 'soffice.wasm')))
}

async function start(fonts: ReadonlySet<string>): Promise<Running> {
  const folder = libreOfficeFolder()
  if (!folder) throw new JobFailure('jobs.engine_missing', message('office.not_here'))
  compiling ??= compile(folder)
  try {
    const thread = startThread('office', { folder, wasm: await compiling, fonts: [...fonts] })
    await answerOf<null>(thread)
    return { thread, fonts }
  } catch (cause) {
    compiling = undefined
    throw new JobFailure('jobs.engine_missing', message('office.engine_missing'), { cause })
  }
}

/** Stops LibreOffice if it is running. */
export async function stop(): Promise<void> {
  const ended = running
  running = undefined
  await ended?.thread.terminate()
}

/**
 * LibreOffice with at least these fonts. Earlier fonts are kept up to a limit, so that documents with alternating fonts
 * do not restart it each time.
 */
async function withFonts(fonts: readonly string[]): Promise<Running> {
  const missing = fonts.some(font => !running?.fonts.has(font))
  if (running && !missing) return running
  const all = new Set([...(running?.fonts ?? []), ...fonts])
  await stop()
  running = await start(all.size > FONT_LIMIT ? new Set(fonts) : all)
  return running
}

/**
 * Converts a document with LibreOffice.
 * @param fonts font files that the document needs in addition to those of LibreOffice
 * @throws JobFailure engine_missing when LibreOffice does not start, too_large or engine_crashed when it fails on the document
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
