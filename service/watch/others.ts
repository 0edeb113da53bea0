import { basename, dirname, join, relative } from 'node:path'
import { liesWithin } from '../shared/names/within.ts'
import { Journal } from './journal.ts'
import { lockedRules } from './lock.ts'
import { matches, type Rule } from './rule.ts'
import { readRules } from './rules.ts'

/** The rules beside one: those of the app, also the paused ones, and those by which other processes watch. */
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

  /** Whether one of them has to do with a file, and has no result of this content yet. @throws RulesDamaged: any may be among them */
  async want(path: string, content: string): Promise<boolean> {
    const rules = await lockedRules(this.#folder)
    for (const rule of await readRules(join(this.#folder, 'rules.json'))) rules.set(rule.id, rule)
    rules.delete(this.#id)
    for (const [id, rule] of rules) {
      if (!concerns(rule, path)) continue
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
