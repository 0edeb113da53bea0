/** Makes entries of what an archive says it holds: names that are safe and told apart, links that mean something, within limits. */
import { JobFailure } from '../../errors.ts'
import { type Message, message } from '../../messages/message.ts'
import { numberedName } from '../../names/names.ts'
import { ARCHIVE_LIMITS } from '../limits.ts'
import type { Entry } from './model.ts'

/** A member as its archive has it: any path, and for hard links any target. */
export interface RawEntry extends Omit<Entry, 'kind'> {
  kind: Entry['kind'] | 'device'
}

export type Warn = (warning: Message) => void

export interface ListingOptions {
  /** Size of the archive, against which its content is held. */
  archiveBytes: number
  /** Whether `\` parts folders from each other, as in archives made on Windows. */
  hasWindowsPaths?: boolean
}

type Notice = 'unsafe_names' | 'odd_names' | 'duplicates' | 'devices' | 'outward_links' | 'broken_links'

/** Control characters, and those that turn the direction of text so that a name reads as another. */
const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu
const CONTROL_OR_MARK = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u
const DRIVE = /^[A-Za-z]:/

export class Listing {
  readonly #options: ListingOptions
  readonly #folders = new Set<string>()
  /** Folders that have an entry of their own. */
  readonly #listedFolders = new Set<string>()
  readonly #leaves = new Set<string>()
  readonly #numbers = new Map<string, number>()
  /** What a hard link may mean, by the path the archive gives it. */
  readonly #linkable = new Map<string, Entry>()
  readonly #notices = new Map<Notice, { count: number; name: string }>()
  #count = 0
  #bytes = 0

  constructor(options: ListingOptions) {
    this.#options = options
  }

  /**
   * The entry of a member, or undefined where nothing is to be written for it.
   * @throws JobFailure too_large
   */
  add(raw: RawEntry): Entry | undefined {
    this.#account(raw)
    const given = this.#clean(raw.path, raw.kind === 'folder')
    if (raw.kind === 'device') return this.#leaveOut('devices', given.path)
    // The folder that everything lies in.
    if (raw.kind === 'folder' && given.path === '') return undefined
    const wanted = given.path || 'file'
    const link =
      raw.kind === 'hardlink' ? this.#linkable.get(this.#clean(raw.target ?? '', false).path) : undefined
    if (raw.kind === 'hardlink') {
      if (!link) return this.#leaveOut('broken_links', wanted)
      if (link.path === wanted) return undefined
    }
    const path = raw.kind === 'folder' ? this.#placeFolder(wanted) : this.#placeLeaf(wanted)
    if (path === undefined) return undefined
    if (given.isUnsafe) this.#note('unsafe_names', path)
    if (given.isOdd) this.#note('odd_names', path)
    if (path !== wanted) this.#note('duplicates', path)

    const { comment, modified } = raw
    const entry: Entry = {
      path,
      kind: raw.kind,
      size: raw.kind === 'file' ? raw.size : 0,
      modified: modified && Number.isFinite(modified.getTime()) ? modified : null,
      mode: raw.mode === null ? null : raw.mode & 0o7777,
      ...(comment ? { comment } : {}),
    }
    if (raw.kind === 'symlink') this.setTarget(entry, raw.target ?? '')
    // A second name of a symbolic link is one of its own.
    if (link?.kind === 'symlink') Object.assign(entry, { kind: 'symlink', target: link.target })
    else if (link) entry.target = link.path
    if (entry.kind !== 'folder') this.#linkable.set(wanted, link ?? entry)
    return entry
  }

  /** Sets the text of a symbolic link, where it became known after the listing. */
  setTarget(entry: Entry, text: string): void {
    if (text.length > ARCHIVE_LIMITS.pathLength) throw tooDeep()
    const target = text.toWellFormed().replaceAll('\0', '_') || '.'
    entry.target = target
    if (leadsOut(entry.path, target)) this.#note('outward_links', entry.path)
  }

  /** Tells what was changed and left out, each kind once. */
  report(warn: Warn): void {
    for (const [notice, parameters] of this.#notices) warn(message(`archive.${notice}`, parameters))
  }

  #account({ kind, size }: RawEntry): void {
    const { entries, contentBytes, ratio, ratioFreeBytes } = ARCHIVE_LIMITS
    if (++this.#count > entries) {
      throw new JobFailure('jobs.too_large', message('archive.too_many_entries', { limit: entries }))
    }
    if (!Number.isSafeInteger(size) || size < 0) {
      throw new JobFailure('jobs.corrupt_input', message('archive.damaged'))
    }
    if (kind === 'file') this.#bytes += size
    if (this.#bytes > contentBytes) {
      const gigabytes = contentBytes / 2 ** 30
      throw new JobFailure('jobs.too_large', message('archive.too_large_unpacked', { gigabytes }))
    }
    if (this.#bytes > ratioFreeBytes && this.#bytes > ratio * this.#options.archiveBytes) {
      throw new JobFailure('jobs.too_large', message('archive.bomb', { ratio }))
    }
  }

  /** A path inside the archive, and whether it led out of it or held characters that names must not have. */
  #clean(path: string, isFolder: boolean): { path: string; isUnsafe: boolean; isOdd: boolean } {
    if (path.length > ARCHIVE_LIMITS.pathLength) throw tooDeep()
    let text = path.toWellFormed()
    // On Unix a backslash is a character as any other, unless the name makes sense on Windows alone.
    if (text.includes('\\') && (this.#options.hasWindowsPaths || isWindowsTraversal(text))) {
      text = text.replaceAll('\\', '/')
    }
    let isUnsafe = text.startsWith('/')
    const isOdd = CONTROL_OR_MARK.test(text)
    if (isOdd) text = text.replace(CONTROL, '_')
    const parts: string[] = []
    for (const part of text.split('/')) {
      if (part === '' || part === '.') continue
      if (part === '..') {
        parts.pop()
        isUnsafe = true
      } else parts.push(part)
    }
    if (DRIVE.test(parts[0] ?? '')) {
      isUnsafe = true
      parts[0] = parts[0]!.replace(':', '_')
    }
    if (parts.length > ARCHIVE_LIMITS.depth + (isFolder ? 0 : 1)) throw tooDeep()
    return { path: parts.join('/'), isUnsafe, isOdd }
  }

  /** Where a folder goes; undefined when it is there already. */
  #placeFolder(path: string): string | undefined {
    const placed = this.#folder(path)
    if (this.#listedFolders.has(placed)) return undefined
    this.#listedFolders.add(placed)
    return placed
  }

  /** A free path for a file or link, in a folder that is none of them. */
  #placeLeaf(path: string): string {
    const slash = path.lastIndexOf('/')
    const parent = slash < 0 ? '' : `${this.#folder(path.slice(0, slash))}/`
    const name = path.slice(slash + 1)
    const first = parent + name
    let number = this.#numbers.get(first) ?? 1
    // Most paths stay the same, and then no second text is kept.
    let free = first === path ? path : first
    while (this.#leaves.has(free) || this.#folders.has(free)) free = parent + numberedName(name, ++number)
    if (number > 1) this.#numbers.set(first, number)
    this.#leaves.add(free)
    return free
  }

  /** The path itself, or a numbered one where a part of it is a file or a link, through which nothing must be written. */
  #folder(path: string): string {
    if (this.#folders.has(path)) return path
    const slash = path.lastIndexOf('/')
    const parent = slash < 0 ? '' : `${this.#folder(path.slice(0, slash))}/`
    const name = path.slice(slash + 1)
    let free = parent + name === path ? path : parent + name
    for (let number = 2; this.#leaves.has(free); number++) free = parent + numberedName(name, number)
    this.#folders.add(free)
    return free
  }

  #leaveOut(notice: Notice, name: string): undefined {
    this.#note(notice, name)
  }

  #note(notice: Notice, path: string): void {
    const noted = this.#notices.get(notice)
    if (noted) noted.count++
    else this.#notices.set(notice, { count: 1, name: shown(path) })
  }
}

const tooDeep = () =>
  new JobFailure('jobs.too_large', message('archive.too_deep', { limit: ARCHIVE_LIMITS.depth }))

/** A name as a sentence shows it, its end when it is long. */
export const shown = (path: string): string =>
  path.length > 60 ? `…${path.slice(-59)}`.toWellFormed() : path

const isWindowsTraversal = (path: string) => /^[\\/]|^[A-Za-z]:|(^|[\\/])\.\.([\\/]|$)/.test(path)

/** Whether the text of a symbolic link at `path` is a place outside the archive. */
function leadsOut(path: string, target: string): boolean {
  if (/^[\\/]/.test(target) || DRIVE.test(target)) return true
  let depth = path.split('/').length - 1
  for (const part of target.split(/[\\/]/)) {
    if (part === '..') depth--
    else if (part !== '' && part !== '.') depth++
    if (depth < 0) return true
  }
  return false
}
