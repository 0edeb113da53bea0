import { basename, dirname, join, relative } from 'node:path'
import { liesWithin } from '../shared/names/within.ts'
import { Journal } from './journal.ts'
import { type Told, toldIn } from './lock.ts'
import { matches, type Rule } from './rule.ts'
import { readRules } from './rules.ts'

/** The rules of this machine by their ids, with what is told of them: those of the app, and those by which commands watch. @throws as `readRules` */
export async function allRules(folder: string): Promise<Map<string, Told & { paused?: boolean }>> {
  const all = new Map<string, Told & { paused?: boolean }>(await toldIn(folder))
  for (const { paused, ...rule } of await readRules(join(folder, 'rules.json')))
    all.set(rule.id, { ...all.get(rule.id), rule, paused })
  return all
}

/** The rules beside one, also those of the app that are paused. */
export class OtherRules {
  readonly #folder: string
  readonly #id: string
  readonly #journals = new Map<string, Journal>()

  /**
   * @param folder of rules, locks and journals
   * @param id of the rule that the others are others of
   */
  constructor(folder: string, id: string) {
    this.#folder = folder
    this.#id = id
  }

  /** Whether one of them has to do with a file, and has no result of this content yet. @throws as `readRules` */
  async want(path: string, content: string): Promise<boolean> {
    for (const [id, { rule }] of await allRules(this.#folder)) {
      if (id === this.#id || !concerns(rule, path)) continue
      const journal = this.#journals.get(id) ?? new Journal(join(this.#folder, `${id}.jsonl`))
      this.#journals.set(id, journal)
      await journal.readOn()
      if (journal.stateOf(relative(rule.folder, path), content) !== 'done') return true
    }
    return false
  }
}

function concerns(rule: Rule, path: string): boolean {
  const { folder, recursive } = rule
  return (recursive ? liesWithin(folder, path) : dirname(path) === folder) && matches(rule, basename(path))
}
