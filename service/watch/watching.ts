import { stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { RequestError } from '../shared/errors.ts'
import { message } from '../shared/messages/message.ts'
import type { Converter } from './converter.ts'
import { Database } from './database.ts'
import { makeRule, type Rule } from './rule.ts'
import { addRule, allRules, type KnownRule, replaceRule } from './rules.ts'
import { type Status, statusOfRules } from './status.ts'
import { Watcher, type WatcherParts } from './watcher.ts'

export interface WatchingParts extends Pick<WatcherParts, 'recycle'>, Required<Pick<WatcherParts, 'onHold'>> {
  /** Data folder, whose subfolder `watch` has the rules and what was done by them; it is never watched itself. */
  home: string
  /** Whether something can become a target. */
  knowsTarget(target: string): boolean
  /** What converts for whoever a rule belongs to. */
  converter(accountId: string): Converter
  /** Time between two scans of a folder, in milliseconds; 2 seconds by default. */
  intervalMs?: number | undefined
  onError(error: unknown): void
}

/** The watched folders of this machine: their rules, and a watcher for each that is not paused. */
export class Watching {
  readonly #parts: WatchingParts
  /** The watchers by the ids of their rules: each ends by its signal. */
  readonly #watchers = new Map<string, { stopping: AbortController; ended: Promise<void> }>()
  #opened: Promise<Database> | undefined

  constructor(parts: WatchingParts) {
    this.#parts = parts
  }

  async start(): Promise<void> {
    await this.#open().catch(this.#parts.onError)
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#watchers.keys()].map(id => this.#end(id)))
    const database = await this.#opened?.catch(() => {})
    database?.[Symbol.dispose]()
  }

  /** @throws RequestError server.unavailable while what is known of them is damaged, as do the others */
  async list(accountId: string): Promise<Status[]> {
    return (await statusOfRules(await this.#open())).filter(rule => rule.accountId === accountId)
  }

  /** @throws RequestError request.invalid_parameter saying which folder cannot be used, and why */
  async add(accountId: string, given: Rule): Promise<Status> {
    const rule = await this.#check(given)
    const id = await addRule(await this.#open(), rule, accountId)
    return this.setPaused(accountId, id, false)
  }

  /**
   * Puts a rule in place of another, in one step, so that no crash loses both; it is paused if the other was.
   * @throws RequestError request.not_found, and as `add`
   */
  async change(accountId: string, id: string, given: Rule): Promise<Status> {
    const rule = await this.#check(given)
    const database = await this.#open()
    const before = this.#find(database, accountId, id)
    // Otherwise what it tells would bring it back.
    await this.#end(id)
    try {
      return await this.setPaused(accountId, await replaceRule(database, id, rule), before.paused)
    } catch (error) {
      if (!before.paused) this.#begin(before, database)
      throw error
    }
  }

  /** @throws RequestError request.not_found */
  async setPaused(accountId: string, id: string, paused: boolean, isRetry = false): Promise<Status> {
    const database = await this.#open()
    const found = this.#find(database, accountId, id)
    await database.run('UPDATE rules SET paused = ? WHERE id = ?', Number(paused), id)
    if (paused) await this.#end(id)
    else this.#begin(found, database, isRetry)
    const [status] = await statusOfRules(database, [this.#find(database, accountId, id)])
    return status!
  }

  /** Tries again what is parked, and what is paused goes on. @throws RequestError request.not_found */
  async retry(accountId: string, id: string): Promise<Status> {
    this.#find(await this.#open(), accountId, id)
    await this.#end(id)
    return this.setPaused(accountId, id, false, true)
  }

  /** Ends a rule. What was done by it stays known, so that the same rule, made again, converts nothing twice. @throws RequestError request.not_found */
  async remove(accountId: string, id: string): Promise<void> {
    const database = await this.#open()
    this.#find(database, accountId, id)
    await database.run('DELETE FROM rules WHERE id = ?', id)
    await this.#end(id)
  }

  /** What is known, from the first time that it can be read; the rules that are not paused are watched by from then on. */
  #open(): Promise<Database> {
    this.#opened ??= Database.open(join(this.#parts.home, 'watch')).then(
      database => {
        for (const rule of allRules(database))
          if (rule.accountId !== null && !rule.paused) this.#begin(rule, database)
        return database
      },
      error => {
        this.#opened = undefined
        throw error
      },
    )
    return this.#opened
  }

  #find(database: Database, accountId: string, id: string): KnownRule {
    const found = allRules(database).find(rule => rule.id === id && rule.accountId === accountId)
    if (!found) throw new RequestError('request.not_found', message('watch.not_found'))
    return found
  }

  /** Begins to watch by a rule, unless that has begun. */
  #begin({ id, rule, accountId }: Omit<KnownRule, 'progress'>, database: Database, isRetry = false): void {
    if (this.#watchers.has(id)) return
    const { converter, ...parts } = this.#parts
    const own = { ...parts, rule, database, converter: converter(accountId ?? '') }
    const stopping = new AbortController()
    const ended = new Watcher(own).watch(stopping.signal, isRetry).catch(parts.onError)
    this.#watchers.set(id, { stopping, ended })
  }

  /** Stops watching by a rule and cancels what runs; resolves when nothing is left. */
  async #end(id: string): Promise<void> {
    const { stopping, ended } = this.#watchers.get(id) ?? {}
    stopping?.abort(new Error('stopped'))
    await ended
    this.#watchers.delete(id)
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
