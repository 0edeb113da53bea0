/** Threads in which Tesseract reads pages, one for each core. They keep their languages until they are disposed. */
import type { Worker } from 'node:worker_threads'
import type { Pixels } from '../pixels.ts'
import { answerOf, compiled, startThread } from '../thread.ts'
import { type Language, loadLanguages } from './data.ts'
import type { ReadLine } from './model.ts'

/** Resolution at which pages should be scanned or drawn: Tesseract works best with letters of 20 to 40 pixels. */
export const OCR_DPI = 300

const WASM = 'tesseract.js-core/tesseract-core-simd-lstm.wasm'

export class Readers implements AsyncDisposable {
  readonly #names: string
  readonly #cores: number
  #languages: Promise<Language[]> | undefined
  #idle: Worker[] = []

  /** @param languages Tesseract's names, joined by `+` */
  constructor(languages: string, cores: number) {
    this.#names = languages
    this.#cores = cores
  }

  /**
   * The lines of several grey pictures at `OCR_DPI`; none of a picture that Tesseract fails on.
   * @throws JobFailure engine_missing if a language is not installed
   */
  async read(pages: readonly Pixels[]): Promise<ReadLine[][]> {
    const found: ReadLine[][] = pages.map(() => [])
    let next = 0
    const work = async () => {
      while (next < pages.length) {
        const index = next++
        found[index] = await this.#readOne(pages[index]!)
      }
    }
    await Promise.all(Array.from({ length: Math.min(this.#cores, pages.length) }, work))
    return found
  }

  async #readOne(page: Pixels): Promise<ReadLine[]> {
    const thread = this.#idle.pop() ?? (await this.#start())
    try {
      thread.postMessage(page)
      const lines = await answerOf<ReadLine[]>(thread)
      this.#idle.push(thread)
      return lines
    } catch {
      // What a picture broke is not used for the next one.
      await thread.terminate()
      return []
    }
  }

  async #start(): Promise<Worker> {
    this.#languages ??= loadLanguages(this.#names)
    const input = { languages: await this.#languages, wasm: await compiled(WASM), dpi: OCR_DPI }
    const thread = startThread('tesseract', input)
    await answerOf<null>(thread)
    return thread
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#idle.splice(0).map(thread => thread.terminate()))
  }
}
