import { copyFile, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { RequestError } from '../shared/errors.ts'
import { hashOfFile } from '../shared/file-hash.ts'
import { makeFolder } from '../shared/make-folder.ts'
import { message } from '../shared/messages/message.ts'
import { writeDurably } from '../shared/placing/durable.ts'
import { ifGone, isThere } from '../shared/placing/naming.ts'
import type { Rule } from './rule.ts'

/** A rule as it is kept, with whose it is. */
export interface KeptRule extends Rule {
  id: string
  accountId: string
  paused: boolean
}

/** The rules that were kept; none if there is no file. @throws RequestError server.unavailable if they are damaged, and the system's errors */
export async function readRules(path: string): Promise<KeptRule[]> {
  const text = await readFile(path, 'utf8').catch(ifGone('[]'))
  try {
    const rules = JSON.parse(text) as KeptRule[]
    if (rules.every(({ folder }) => typeof folder === 'string')) return rules
  } catch {
    // Said below.
  }
  await keepDamaged(path)
  throw new RequestError('server.unavailable', message('watch.rules_damaged'))
}

/** Keeps a copy of a damaged file beside it, one of each content. */
export async function keepDamaged(path: string): Promise<void> {
  const kept = `${path}.${(await hashOfFile(path)).slice(0, 8)}.damaged`
  if (!(await isThere(kept))) await copyFile(path, kept)
}

/** The kept rules: changed one at a time, each change on the disk before the next. A damaged file is never overwritten. */
export class Rules {
  readonly #path: string
  #last: Promise<unknown> = Promise.resolve()

  constructor(path: string) {
    this.#path = path
  }

  /** @throws as `readRules` */
  all(): Promise<readonly KeptRule[]> {
    return readRules(this.#path)
  }

  /** @param edit what is to become of the rules; it may refuse by throwing */
  change(edit: (rules: readonly KeptRule[]) => readonly KeptRule[]): Promise<void> {
    const change = this.#last.then(async () => {
      const next = edit(await this.all())
      await makeFolder(dirname(this.#path), 0o700)
      await writeDurably(this.#path, JSON.stringify(next, null, 2))
    })
    this.#last = change.catch(() => {})
    return change
  }
}
