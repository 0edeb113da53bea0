import { stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { RequestError } from '../shared/errors.ts'
import { message } from '../shared/messages/message.ts'
import type { Converter } from './converter.ts'
import type { Recycle } from './originals.ts'
import { makeRule, type Rule, realPath, ruleId } from './rule.ts'
import { type KeptRule, Rules } from './rules.ts'
import { type Progress, Watcher } from './watcher.ts'

export interface WatchingParts {
  /** Data folder, whose subfolder `watch` has the rules and what was done by them; it is never watched itself. */
  home: string
  /** Whether something can become a target. */
  knowsTarget(target: string): boolean
  /** What converts for whoever a rule belongs to. */
  converter(accountId: string): Converter
  recycle: Recycle
  /** Time between two looks at a folder, in milliseconds; 2 seconds by default. */
  intervalMs?: number | undefined
  onError(error: unknown): void
}

/** A rule with what has become of its files. */
export type Watched = KeptRule & Progress

/** The watched folders of this machine: their rules, and a watcher for each that is not paused. */
export class Watching {
  readonly #parts: WatchingParts
  readonly #rules: Rules
  readonly #watchers = new Map<string, Watcher>()
  #isStarted = false

  constructor(parts: WatchingParts) {
    this.#parts = parts
    this.#rules = new Rules(join(parts.home, 'watch', 'rules.json'))
  }

  async start(): Promise<void> {
    await this.#all().catch(this.#parts.onError)
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#watchers.values()].map(watcher => watcher.stop()))
  }

  /** @throws RequestError server.unavailable while the rules are damaged, as do the others */
  async list(accountId: string): Promise<Watched[]> {
    const own = (await this.#all()).filter(rule => rule.accountId === accountId)
    return Promise.all(own.map(rule => this.#watched(rule)))
  }

  /** @throws RequestError request.invalid_parameter saying which folder cannot be used, and why */
  async add(accountId: string, given: Rule): Promise<Watched> {
    const rule = await this.#check(given)
    await this.#all()
    const kept = { ...rule, id: ruleId(rule), accountId, paused: false }
    await this.#rules.change(rules => {
      if (rules.some(other => other.id === kept.id || ruleId(other) === kept.id))
        throw new RequestError('request.invalid_parameter', message('watch.exists'))
      return [...rules, kept]
    })
    this.#watcherOf(kept).start()
    return this.#watched(kept)
  }

  /** @throws RequestError request.not_found */
  async setPaused(accountId: string, id: string, paused: boolean): Promise<Watched> {
    const changed = { ...(await this.#find(accountId, id)), paused }
    await this.#rules.change(rules => rules.map(rule => (rule.id === id ? changed : rule)))
    if (paused) await this.#watcherOf(changed).stop()
    else this.#watcherOf(changed).start()
    return this.#watched(changed)
  }

  /** Tries again what is parked, and what is paused goes on. @throws RequestError request.not_found */
  async retry(accountId: string, id: string): Promise<Watched> {
    const watcher = this.#watcherOf(await this.#find(accountId, id))
    await watcher.stop()
    watcher.start(true)
    return this.setPaused(accountId, id, false)
  }

  /** Ends a rule. Its journal stays, so that the same rule, made again, converts nothing twice. @throws RequestError request.not_found */
  async remove(accountId: string, id: string): Promise<void> {
    const watcher = this.#watcherOf(await this.#find(accountId, id))
    await this.#rules.change(rules => rules.filter(rule => rule.id !== id))
    this.#watchers.delete(id)
    await watcher.stop()
  }

  /** All rules; those that are not paused are watched by from the first time that they can be read. */
  async #all(): Promise<readonly KeptRule[]> {
    const rules = await this.#rules.all()
    if (!this.#isStarted) for (const rule of rules) if (!rule.paused) this.#watcherOf(rule).start()
    this.#isStarted = true
    return rules
  }

  async #find(accountId: string, id: string): Promise<KeptRule> {
    const found = (await this.#all()).find(rule => rule.id === id && rule.accountId === accountId)
    if (!found) throw new RequestError('request.not_found', message('watch.not_found'))
    return found
  }

  #watcherOf(rule: KeptRule): Watcher {
    const { converter, ...parts } = this.#parts
    const known =
      this.#watchers.get(rule.id) ??
      new Watcher(rule, join(parts.home, 'watch', rule.id), {
        ...{ home: realPath(parts.home), converter: converter(rule.accountId) },
        ...{ recycle: parts.recycle, onError: parts.onError, onHold: (_, error) => parts.onError(error) },
        ...(parts.intervalMs !== undefined && { intervalMs: parts.intervalMs }),
      })
    this.#watchers.set(rule.id, known)
    return known
  }

  async #watched(rule: KeptRule): Promise<Watched> {
    return { ...rule, ...(await this.#watcherOf(rule).progress()) }
  }

  async #check(given: Rule): Promise<Rule> {
    if (!this.#parts.knowsTarget(given.target)) throw new RequestError('request.invalid_parameter')
    for (const path of [given.folder, given.out, given.moveTo ?? given.out]) {
      // Looking at a network path would reveal the user to its server.
      if (!isAbsolute(path) || path.includes('\0') || /^[\\/]{2}/.test(path))
        throw new RequestError('request.invalid_parameter', message('destination.not_absolute'))
      // None is created: a disk that is not connected would leave its mount point to be filled instead.
      if (!(await isFolder(path)))
        throw new RequestError('request.invalid_parameter', message('destination.not_a_folder'))
    }
    return makeRule(given, this.#parts.home)
  }
}

const isFolder = async (path: string) => (await stat(path).catch(() => undefined))?.isDirectory() ?? false
