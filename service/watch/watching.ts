import { stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { RequestError } from '../shared/errors.ts'
import { message } from '../shared/messages/message.ts'
import type { Converter } from './converter.ts'
import { Database } from './database.ts'
import { makeRule, type Rule, realPath } from './rule.ts'
import { addRule, allRules, type KnownRule } from './rules.ts'
import { type Progress, Watcher, type WatcherParts } from './watcher.ts'

export interface WatchingParts extends Pick<WatcherParts, 'recycle'>, Required<Pick<WatcherParts, 'onHold'>> {
  /** Data folder, whose subfolder `watch` has the rules and what was done by them; it is never watched itself. */
  home: string
  /** Whether something can become a target. */
  knowsTarget(target: string): boolean
  /** What converts for whoever a rule belongs to. */
  converter(accountId: string): Converter
  /** Time between two looks at a folder, in milliseconds; 2 seconds by default. */
  intervalMs?: number | undefined
  onError(error: unknown): void
}

/** A rule with what has become of its files. */
export type Watched = Own & Progress

type Own = Omit<KnownRule, 'progress'>

/** The watched folders of this machine: their rules, and a watcher for each that is not paused. */
export class Watching {
  readonly #parts: WatchingParts
  readonly #watchers = new Map<string, Watcher>()
  #opened: Promise<Database> | undefined

  constructor(parts: WatchingParts) {
    this.#parts = parts
  }

  async start(): Promise<void> {
    await this.#open().catch(this.#parts.onError)
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#watchers.values()].map(watcher => watcher.stop()))
    const database = await this.#opened?.catch(() => {})
    database?.[Symbol.dispose]()
  }

  /** @throws RequestError server.unavailable while what is known of them is damaged, as do the others */
  async list(accountId: string): Promise<Watched[]> {
    const own = allRules(await this.#open()).filter(rule => rule.accountId === accountId)
    return Promise.all(own.map(rule => this.#watched(rule)))
  }

  /** @throws RequestError request.invalid_parameter saying which folder cannot be used, and why */
  async add(accountId: string, given: Rule): Promise<Watched> {
    const rule = await this.#check(given)
    const id = await addRule(await this.#open(), rule, accountId)
    return this.#watched({ id, rule, accountId, paused: false })
  }

  /** @throws RequestError request.not_found */
  async setPaused(accountId: string, id: string, paused: boolean): Promise<Watched> {
    const [rule, database] = await this.#find(accountId, id)
    await database.run('UPDATE rules SET paused = ? WHERE id = ?', Number(paused), id)
    return this.#watched({ ...rule, paused })
  }

  /** Tries again what is parked, and what is paused goes on. @throws RequestError request.not_found */
  async retry(accountId: string, id: string): Promise<Watched> {
    const [rule, database] = await this.#find(accountId, id)
    const watcher = this.#watcherOf(rule, database)
    await watcher.stop()
    watcher.start(true)
    return this.setPaused(accountId, id, false)
  }

  /** Ends a rule. What was done by it stays known, so that the same rule, made again, converts nothing twice. @throws RequestError request.not_found */
  async remove(accountId: string, id: string): Promise<void> {
    const [rule, database] = await this.#find(accountId, id)
    await database.run('DELETE FROM rules WHERE id = ?', id)
    const watcher = this.#watcherOf(rule, database)
    this.#watchers.delete(id)
    await watcher.stop()
  }

  /** What is known, from the first time that it can be read; the rules that are not paused are watched by from then on. */
  #open(): Promise<Database> {
    this.#opened ??= Database.open(join(this.#parts.home, 'watch')).then(
      database => {
        for (const rule of allRules(database))
          if (rule.accountId !== null && !rule.paused) this.#watcherOf(rule, database).start()
        return database
      },
      error => {
        this.#opened = undefined
        throw error
      },
    )
    return this.#opened
  }

  async #find(accountId: string, id: string): Promise<[KnownRule, Database]> {
    const database = await this.#open()
    const found = allRules(database).find(rule => rule.id === id && rule.accountId === accountId)
    if (!found) throw new RequestError('request.not_found', message('watch.not_found'))
    return [found, database]
  }

  #watcherOf({ id, rule, accountId }: Own, database: Database): Watcher {
    const { home, converter, ...parts } = this.#parts
    const own = () => ({ ...parts, home: realPath(home), converter: converter(accountId ?? '') })
    const known = this.#watchers.get(id) ?? new Watcher(rule, id, database, own())
    this.#watchers.set(id, known)
    return known
  }

  /** Begins or stops to watch, as the rule says. */
  async #watched(rule: Own): Promise<Watched> {
    const watcher = this.#watcherOf(rule, await this.#open())
    if (rule.paused) await watcher.stop()
    else watcher.start()
    return { ...rule, ...(await watcher.progress()) }
  }

  async #check(given: Rule): Promise<Rule> {
    if (!this.#parts.knowsTarget(given.target)) throw new RequestError('request.invalid_parameter')
    for (const path of [given.folder, given.out, given.moveTo ?? given.out]) {
      // Looking at a network path would reveal the user to its server.
      if (!isAbsolute(path) || path.includes('\0') || /^[\\/]{2}/.test(path))
        throw new RequestError('request.invalid_parameter', message('destination.not_absolute'))
      // None is created: a disk that is not connected would leave its mount point to be filled instead.
      const isFolder = (await stat(path).catch(() => undefined))?.isDirectory()
      if (!isFolder) throw new RequestError('request.invalid_parameter', message('destination.not_a_folder'))
    }
    return makeRule(given, this.#parts.home)
  }
}
