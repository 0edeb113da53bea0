/**
 * Reads pages with Tesseract, one for each core: with the system's program where there is one, otherwise in threads with
 * its WebAssembly, which keep their languages until they are disposed.
 */
import type { Worker } from 'node:worker_threads'
import { ConcurrencyLimit } from '../../common/concurrency.ts'
import { answerOf, compiled, startThread } from '../../common/thread.ts'
import { type Language, loadLanguages } from './data.ts'
import { addMissed } from './missed.ts'
import type { DrawnPage, ReadLine } from './model.ts'
import { installedTesseract, type ReadPage } from './program.ts'
import type { ToRead } from './tesseract.ts'

const WASM = 'tesseract.js-core/tesseract-core-simd-lstm.wasm'

export class Readers implements AsyncDisposable {
  readonly #names: string
  readonly #cores: number
  readonly #folder: string
  readonly #threads = new Set<Worker>()
  readonly #pages = new Set<Promise<void>>()
  readonly #limit: ConcurrencyLimit
  #languages: Promise<Language[]> | undefined
  #program: Promise<ReadPage | undefined> | undefined
  #idle: Worker[] = []
  #isDisposed = false

  /**
   * @param languages Tesseract's names, joined by `+`
   * @param folder for temporary files, which remain in it
   */
  constructor(languages: string, { cores, folder }: { cores: number; folder: string }) {
    this.#names = languages
    this.#cores = cores
    this.#limit = new ConcurrencyLimit(cores)
    this.#folder = folder
  }

  /**
   * Works on a page while the caller draws the next one.
   * @returns once there is room for the next one: every thread has a page, and only one more waits
   * @throws what an earlier page failed with
   */
  async start(page: Promise<void>): Promise<void> {
    const work = page.then(() => void this.#pages.delete(work))
    // A failure stays among the pages, where the next call finds it.
    work.catch(() => {})
    this.#pages.add(work)
    while (this.#pages.size > this.#cores) await Promise.race(this.#pages)
  }

  /** Waits for all pages. @throws what one of them failed with */
  async finished(): Promise<void> {
    await Promise.all(this.#pages)
  }

  /**
   * The lines of a page, as soon as a thread is free; none of a page that Tesseract fails on.
   * @throws JobFailure engine_missing if a language is not installed
   */
  read(page: DrawnPage): Promise<ReadLine[]> {
    return this.#limit.run(() => this.#readOne(page))
  }

  async #readOne(page: DrawnPage): Promise<ReadLine[]> {
    this.#program ??= this.#data().then(languages => installedTesseract(languages, this.#folder))
    const lines = await (await this.#program)?.(page)
    if (!lines) return this.#inThread({ page })
    let isWhole = true
    const all = addMissed(structuredClone(lines), page, () => {
      isWhole = false
      return []
    })
    return isWhole ? all : this.#inThread({ page, lines })
  }

  async #inThread(work: ToRead): Promise<ReadLine[]> {
    const thread = this.#idle.pop() ?? (await this.#start())
    try {
      thread.postMessage(work)
      const lines = await answerOf<ReadLine[]>(thread)
      this.#idle.push(thread)
      return lines
    } catch {
      // What a picture broke is not used for the next one.
      this.#threads.delete(thread)
      await thread.terminate()
      return work.lines ?? []
    }
  }

  #data(): Promise<Language[]> {
    this.#languages ??= loadLanguages(this.#names)
    return this.#languages
  }

  async #start(): Promise<Worker> {
    const input = { languages: await this.#data(), wasm: await compiled(WASM) }
    if (this.#isDisposed) throw new Error('the pages are no longer wanted')
    const thread = startThread('tesseract', input)
    this.#threads.add(thread)
    await answerOf<null>(thread)
    return thread
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    await Promise.all([...this.#threads].map(thread => thread.terminate()))
    await Promise.allSettled(this.#pages)
  }
}
