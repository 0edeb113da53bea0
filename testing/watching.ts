import { readFile } from 'node:fs/promises'
import { parse } from 'node:path'
import { Readable } from 'node:stream'
import type { Converter } from '../service/watch/converter.ts'
import { twoFiles } from './two-files.ts'

const coded = (code: string, detail = code) => Object.assign(new Error(detail), { code })

/** A converter that does what the text of a file says, and notes what it charged for. */
export class TestConverter implements Converter {
  /** What was converted, by its key: the same key is charged once. */
  readonly charged = new Map<string, string>()
  calls = 0
  left = Number.POSITIVE_INFINITY
  /** Runs before each conversion. */
  before: (name: string) => Promise<void> = async () => {}

  async credits(): Promise<number> {
    return this.left
  }

  async convert(...[{ path, name }, target, { key, signal }]: Parameters<Converter['convert']>) {
    this.calls++
    await this.before(name)
    signal.throwIfAborted()
    const text = await readFile(path, 'utf8')
    if (!this.charged.has(key) && this.left-- <= 0) {
      this.left = 0
      throw coded('entitlements.insufficient_credits')
    }
    if (text.startsWith('fail ')) throw coded(text.split(' ')[1] ?? '')
    this.charged.set(key, text)
    const isSeveral = text === 'several'
    const { name: stem } = parse(name)
    return {
      fileName: isSeveral ? `${stem}.zip` : `${stem}.out`,
      fileCount: isSeveral ? 2 : 1,
      warnings: text === 'warn' ? ['Something is lost.'] : [],
      content: async () => Readable.from([isSeveral ? twoFiles(stem) : Buffer.from(`${target} of ${text}`)]),
      remove: async () => {},
    }
  }
}
