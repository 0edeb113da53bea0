import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../shared/make-folder.ts'
import { writeDurably } from '../shared/placing/durable.ts'
import type { Rule } from './rule.ts'

/** A rule as it is kept, with whose it is. */
export interface KeptRule extends Rule {
  id: string
  accountId: string
  paused: boolean
}

/** The file of rules is not what it should be. */
export class RulesDamaged extends Error {
  override readonly name: string = 'RulesDamaged'
}

/** The rules that were kept; none if there is no file. @throws RulesDamaged, and the system's errors */
export async function readRules(path: string): Promise<KeptRule[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return '[]'
  })
  try {
    const rules = JSON.parse(text) as KeptRule[]
    if (Array.isArray(rules) && rules.every(rule => typeof rule?.folder === 'string')) return rules
  } catch {
    // Said below.
  }
  throw new RulesDamaged(`The rules for watched folders in ${path} are damaged.`)
}

/** The kept rules: changed one at a time, each change on the disk before the next. A damaged file is never overwritten. */
export class Rules {
  readonly #path: string
  #rules: readonly KeptRule[] | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(path: string) {
    this.#path = path
  }

  /** @throws RulesDamaged, and the system's errors, until the file can be read */
  async all(): Promise<readonly KeptRule[]> {
    this.#rules ??= await readRules(this.#path)
    return this.#rules
  }

  /** @param edit what is to become of the rules; it may refuse by throwing */
  change(edit: (rules: readonly KeptRule[]) => readonly KeptRule[]): Promise<void> {
    const change = this.#last.then(async () => {
      const next = edit(await this.all())
      await makeFolder(dirname(this.#path), 0o700)
      await writeDurably(this.#path, JSON.stringify(next, null, 2))
      this.#rules = next
    })
    this.#last = change.catch(() => {})
    return change
  }
}
