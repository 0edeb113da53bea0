/** Creates entries from the listing of an archive: safe and unique names, valid links, within limits. */
import { JobFailure } from '../../../shared/errors.ts'
import { type Message, message } from '../../../shared/messages/message.ts'
import { numberedName } from '../../../shared/names/names.ts'
import { ARCHIVE_LIMITS } from '../common/limits.ts'
import type { ArchiveEntry } from './model.ts'

/** A member as stored in its archive: any path, and any target for hard links. */
export interface RawEntry extends Omit<ArchiveEntry, 'kind'> {
  kind: ArchiveEntry['kind'] | 'device'
}

export type Warn = (warning: Message) => void

export interface ListingOptions {
  /** Size of the archive, for limiting the ratio of its content. */
  archiveBytes: number
  /** Whether `\` separates folders, as in archives made on Windows. */
  hasWindowsPaths?: boolean
}

type Notice =
  | 'unsafe_names'
  | 'odd_names'
  | 'duplicates'
  | 'devices'
  | 'outward_links'
  | 'broken_links'
  | 'damaged_members'

/** Control characters, and those that change the direction of text so that a name resembles another. */
const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu
const DRIVE = /^[A-Za-z]:/

export class Listing {
  readonly #options: ListingOptions
  readonly #folders = new Set<string>()
  /** Folders that have their own entry. */
  readonly #listedFolders = new Set<string>()
  readonly #leaves = new Set<string>()
  readonly #numbers = new Map<string, number>()
  /** Possible targets of hard links, by the path in the archive. */
  readonly #linkable = new Map<string, ArchiveEntry>()
  readonly #warnings = new Map<Notice, { count: number; name: string }>()
  #count = 0
  #bytes = 0

  constructor(options: ListingOptions) {
    this.#options = options
  }

  /**
   * The entry of a member, or undefined if nothing is to be written for it.
   * @throws JobFailure too_large
   */
  add(raw: RawEntry): ArchiveEntry | undefined {
    this.#account(raw)
    const given = this.#clean(raw.path, raw.kind === 'folder')
    if (raw.kind === 'device') return this.#note('devices', given.path)
    // The root folder.
    if (raw.kind === 'folder' && given.path === '') return undefined
    const wanted = given.path || 'file'
    const link =
      raw.kind === 'hardlink' ? this.#linkable.get(this.#clean(raw.target ?? '', false).path) : undefined
    if (raw.kind === 'hardlink') {
      if (!link) return this.#note('broken_links', wanted)
      if (link.path === wanted) return undefined
    }
    const path = raw.kind === 'folder' ? this.#placeFolder(wanted) : this.#placeLeaf(wanted)
    if (path === undefined) return undefined
    if (given.isUnsafe) this.#note('unsafe_names', path)
    if (given.isOdd) this.#note('odd_names', path)
    if (path !== wanted) this.#note('duplicates', path)

    const { comment, modified } = raw
    const entry: ArchiveEntry = {
      path,
      kind: raw.kind,
      size: raw.kind === 'file' ? raw.size : 0,
      modified: modified && Number.isFinite(modified.getTime()) ? modified : null,
      mode: raw.mode === null ? null : raw.mode & 0o7777,
      ...(comment ? { comment } : {}),
    }
    if (raw.kind === 'symlink') this.setTarget(entry, raw.target ?? '')
    // A hard link to a symbolic link becomes a symbolic link itself.
    if (link?.kind === 'symlink') Object.assign(entry, { kind: 'symlink', target: link.target })
    else if (link) entry.target = link.path
    if (entry.kind !== 'folder') this.#linkable.set(wanted, link ?? entry)
    return entry
  }

  /** Leaves out a member whose content is damaged. */
  leaveOut({ path }: RawEntry): undefined {
    return this.#note('damaged_members', this.#clean(path, false).path)
  }

  /** How many bytes of content are accepted altogether. */
  get allowance(): number {
    const { contentBytes, ratio, ratioFreeBytes } = ARCHIVE_LIMITS
    return Math.min(contentBytes, Math.max(ratioFreeBytes, ratio * this.#options.archiveBytes))
  }

  /** Sets the target of a symbolic link that became known after the listing. */
  setTarget(entry: ArchiveEntry, text: string): void {
    if (text.length > ARCHIVE_LIMITS.pathLength) throw tooDeep()
    const target = text.toWellFormed().replaceAll('\0', '_') || '.'
    entry.target = target
    if (leadsOut(entry.path, target)) this.#note('outward_links', entry.path)
  }

  /** Reports what was changed and left out, each kind once. */
  report(warn: Warn): void {
    for (const [notice, parameters] of this.#warnings) warn(message(`archive.${notice}`, parameters))
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

  /** A path inside the archive, and whether it led outside or contained forbidden characters. */
  #clean(path: string, isFolder: boolean): { path: string; isUnsafe: boolean; isOdd: boolean } {
    if (path.length > ARCHIVE_LIMITS.pathLength) throw tooDeep()
    let text = path.toWellFormed()
    // On Unix a backslash is an ordinary character, unless the name only makes sense on Windows.
    if (text.includes('\\') && (this.#options.hasWindowsPaths || isWindowsTraversal(text))) {
      text = text.replaceAll('\\', '/')
    }
    let isUnsafe = text.startsWith('/')
    const plain = text.replace(CONTROL, '_')
    const isOdd = plain !== text
    text = plain
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

  /** The path for a folder; undefined if it already exists. */
  #placeFolder(path: string): string | undefined {
    const folder = this.#folder(path)
    if (this.#listedFolders.has(folder)) return undefined
    this.#listedFolders.add(folder)
    return folder
  }

  /** A free path for a file or link, in a folder that is not a file or link itself. */
  #placeLeaf(path: string): string {
    const slash = path.lastIndexOf('/')
    const parent = slash < 0 ? '' : `${this.#folder(path.slice(0, slash))}/`
    const name = path.slice(slash + 1)
    const first = parent + name
    let number = this.#numbers.get(first) ?? 1
    // Most paths stay the same, and then no second string is kept.
    let free = first === path ? path : first
    while (this.#leaves.has(free) || this.#folders.has(free)) free = parent + numberedName(name, ++number)
    if (number > 1) this.#numbers.set(first, number)
    this.#leaves.add(free)
    return free
  }

  /** The path itself, or a numbered one if a part of it is a file or a link, through which nothing must be written. */
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

  #note(notice: Notice, path: string): undefined {
    const noted = this.#warnings.get(notice)
    if (noted) noted.count++
    else this.#warnings.set(notice, { count: 1, name: shown(path) })
  }
}

const tooDeep = () =>
  new JobFailure('jobs.too_large', message('archive.too_deep', { limit: ARCHIVE_LIMITS.depth }))

/** A name for messages, shortened to its end if it is long. */
export const shown = (path: string): string =>
  path.length > 60 ? `…${path.slice(-59)}`.toWellFormed() : path

const isWindowsTraversal = (path: string) => /^[\\/]|^[A-Za-z]:|(^|[\\/])\.\.([\\/]|$)/.test(path)

/** Whether the target of a symbolic link at `path` is outside the archive. */
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
