import { stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { Catalogue } from '../../convert/catalogue/catalogue.ts'
import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import { liesWithin } from '../../shared/names/within.ts'
import { makeRule, type Rule, RuleRefused, ruleId } from '../../shared/watch/rule.ts'
import { type KeptRule, readRules, writeRules } from '../../shared/watch/rules-file.ts'
import type { Converting } from '../../shared/watch/watch.ts'
import { type Progress, Watcher } from './watcher.ts'

export interface WatchingParts {
  /** Data folder, whose subfolder `watch` has the rules and what was done by them; it is never watched itself. */
  home: string
  catalogue: Catalogue
  /** A client of the service that converts for an account. */
  converting(accountId: string): Promise<Converting>
  /** Moves a file to the recycle bin of this system. */
  recycle(path: string): Promise<void>
  /** Time between two looks at a folder, in milliseconds; 2 seconds by default. */
  lookMs?: number | undefined
  onError(error: unknown): void
}

/** A rule with what has become of its files. */
export type Watched = KeptRule & Progress

/** The watched folders of this machine: their rules, and a watcher for each that is not paused. */
export class Watching {
  readonly #parts: WatchingParts
  readonly #watchers = new Map<string, Watcher>()
  #rules: KeptRule[] = []

  constructor(parts: WatchingParts) {
    this.#parts = parts
  }

  async start(): Promise<void> {
    this.#rules = await readRules(this.#file)
    for (const rule of this.#rules) if (!rule.paused) this.#watcherOf(rule).start()
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#watchers.values()].map(watcher => watcher.stop()))
  }

  async list(accountId: string): Promise<Watched[]> {
    const own = this.#rules.filter(rule => rule.accountId === accountId)
    return Promise.all(own.map(rule => this.#watched(rule)))
  }

  /** @throws RequestError request.invalid_parameter saying which folder cannot be used, and why */
  async add(accountId: string, given: Rule): Promise<Watched> {
    const rule = await this.#check(given)
    const kept = { ...rule, id: ruleId(rule), accountId, paused: false }
    if (this.#rules.some(({ id }) => id === kept.id))
      throw new RequestError('request.invalid_parameter', message('watch.exists'))
    await this.#keep([...this.#rules, kept])
    this.#watcherOf(kept).start()
    return this.#watched(kept)
  }

  /** @throws RequestError request.not_found */
  async setPaused(accountId: string, id: string, paused: boolean): Promise<Watched> {
    const changed = { ...this.#find(accountId, id), paused }
    await this.#keep(this.#rules.map(rule => (rule.id === id ? changed : rule)))
    if (paused) await this.#watcherOf(changed).stop()
    else this.#watcherOf(changed).start()
    return this.#watched(changed)
  }

  /** Tries again what is parked, and what is paused goes on. @throws RequestError request.not_found */
  async retry(accountId: string, id: string): Promise<Watched> {
    const watcher = this.#watcherOf(this.#find(accountId, id))
    await watcher.stop()
    watcher.start(true)
    return this.setPaused(accountId, id, false)
  }

  /** Ends a rule. Its journal stays, so that the same rule, made again, converts nothing twice. @throws RequestError request.not_found */
  async remove(accountId: string, id: string): Promise<void> {
    const watcher = this.#watcherOf(this.#find(accountId, id))
    await this.#keep(this.#rules.filter(rule => rule.id !== id))
    this.#watchers.delete(id)
    await watcher.stop()
  }

  get #file(): string {
    return join(this.#parts.home, 'watch', 'rules.json')
  }

  async #keep(rules: KeptRule[]): Promise<void> {
    await writeRules(this.#file, rules)
    this.#rules = rules
  }

  #find(accountId: string, id: string): KeptRule {
    const found = this.#rules.find(rule => rule.id === id && rule.accountId === accountId)
    if (!found) throw new RequestError('request.not_found', message('watch.not_found'))
    return found
  }

  #watcherOf(rule: KeptRule): Watcher {
    const known = this.#watchers.get(rule.id)
    if (known) return known
    const { home, converting, recycle, lookMs, onError } = this.#parts
    const watcher = new Watcher(rule, join(home, 'watch', rule.id), {
      converting: () => converting(rule.accountId),
      ...{ recycle, lookMs, onError },
    })
    this.#watchers.set(rule.id, watcher)
    return watcher
  }

  async #watched(rule: KeptRule): Promise<Watched> {
    return { ...rule, ...(await this.#watcherOf(rule).progress()) }
  }

  async #check(given: Rule): Promise<Rule> {
    const refuse = (key: 'destination.not_a_folder' | 'destination.own_data' | 'watch.inside') =>
      new RequestError('request.invalid_parameter', message(key))
    const { catalogue, home } = this.#parts
    const isContradictory = given.original === 'recycle' && given.moveTo !== null
    if (isContradictory || !catalogue.edges.some(({ targetKey }) => targetKey === given.target))
      throw new RequestError('request.invalid_parameter')
    for (const path of [given.folder, given.out, given.moveTo ?? given.out]) {
      // Looking at a network path would reveal the user to its server.
      if (!isAbsolute(path) || path.includes('\0') || /^[\\/]{2}/.test(path))
        throw new RequestError('request.invalid_parameter', message('destination.not_absolute'))
      // None is created: a disk that is not connected would leave its mount point to be filled instead.
      if (!(await isFolder(path))) throw refuse('destination.not_a_folder')
    }
    try {
      const rule = makeRule(given)
      if ([rule.folder, rule.out].some(path => liesWithin(home, path))) throw refuse('destination.own_data')
      return rule
    } catch (error) {
      throw error instanceof RuleRefused ? refuse('watch.inside') : error
    }
  }
}

const isFolder = async (path: string) => (await stat(path).catch(() => undefined))?.isDirectory() ?? false
