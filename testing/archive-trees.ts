/** Archives for tests, and the files they should unpack to. */
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Archive, ArchiveEntry } from '../service/convert/engines/archives/model.ts'
import { seeded } from './fixtures/pixels.ts'

const MODIFIED = new Date('2020-02-03T04:05:06Z')

/** An entry with defaults for kind, size and time; its data follow from path and size. */
export const entryOf = ({ path = '', kind = 'file', ...rest }: Partial<ArchiveEntry>): ArchiveEntry => ({
  path,
  kind,
  size: kind === 'file' ? path.length : 0,
  modified: MODIFIED,
  mode: null,
  ...rest,
})

/** The content of a file in an archive made here. */
export function contentOf({ path, size }: ArchiveEntry): Buffer {
  return Buffer.alloc(size, `${path}\n`)
}

/** An archive of entries with their content. */
export function archiveOf(entries: readonly ArchiveEntry[]): Archive {
  return {
    entries,
    async *contents() {
      for (const entry of entries) {
        const data = (async function* () {
          yield contentOf(entry)
        })()
        if (entry.kind === 'file') yield { entry, data }
      }
    },
  }
}

export interface Found {
  kind: string
  mode?: number
  modified?: number
  size?: number
  content?: string
  target?: string
}

const hash = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest('hex')

/** Everything below a folder, by path. */
export function filesIn(root: string): Map<string, Found> {
  const found = new Map<string, Found>()
  // Not `recursive`, which would follow symbolic links.
  const folders = ['']
  for (const folder of folders) {
    for (const name of readdirSync(join(root, folder))) {
      const path = join(folder, name)
      const status = lstatSync(join(root, path))
      const kind = status.isSymbolicLink() ? 'symlink' : status.isDirectory() ? 'folder' : 'file'
      if (kind === 'folder') folders.push(path)
      found.set(path, {
        kind,
        ...(kind === 'symlink'
          ? { target: readlinkSync(join(root, path)) }
          : { mode: status.mode & 0o7777, modified: Math.floor(status.mtimeMs / 1000) }),
        ...(kind === 'file' && { size: status.size, content: hash(readFileSync(join(root, path))) }),
      })
    }
  }
  return found
}

/**
 * The files expected below a folder once all entries are unpacked.
 * @param date time of entries without one
 */
export function expectedOf(entries: readonly ArchiveEntry[], date: Date): Map<string, Found> {
  const byPath = new Map(entries.map(entry => [entry.path, entry]))
  const found = new Map<string, Found>()
  for (const entry of entries) {
    const parts = entry.path.split('/')
    for (const index of parts.slice(1).keys()) {
      const parent = parts.slice(0, index + 1).join('/')
      if (!byPath.has(parent))
        found.set(parent, { kind: 'folder', mode: 0o755, modified: date.getTime() / 1000 })
    }
    const meant = entry.kind === 'hardlink' ? byPath.get(entry.target!)! : entry
    const { kind, size, modified, target } = meant
    found.set(entry.path, {
      kind,
      ...(kind === 'symlink'
        ? { target: target! }
        : {
            mode: meant.mode ?? (kind === 'folder' ? 0o755 : 0o644),
            modified: Math.floor((modified ?? date).getTime() / 1000),
          }),
      ...(kind === 'file' && { size, content: hash(contentOf(meant)) }),
    })
  }
  return found
}

/** Sorted by path. */
export const sorted = (found: Map<string, Found>) => [...found].sort(([a], [b]) => (a < b ? -1 : 1))

const LETTERS = ['a', 'B', 'ä', 'Ж', '日', '🚀', ' ', '.', '_', '~', '-', "'", '%', 'e\u0301', '0']

/**
 * Entries as archives may contain them: nested folders, names of all lengths and scripts, hundreds in one folder, links of both
 * kinds.
 */
export function randomTree(seed: number): ArchiveEntry[] {
  const random = seeded(seed)
  const byPath = new Map<string, ArchiveEntry>()
  const name = () => {
    const letters = Array.from(
      { length: 1 + random(random(8) === 0 ? 55 : 12) },
      () => LETTERS[random(LETTERS.length)]!,
    )
    return random(4) === 0 ? `Report of the same prefix ${random(500)}.pdf` : `n${letters.join('')}`
  }
  const folders = ['']
  const at = () => folders[random(folders.length)]!
  const add = (entry: Partial<ArchiveEntry>) => {
    const whole = entryOf({ modified: new Date(random(2 ** 31) * 1000), ...entry })
    if (!byPath.has(whole.path)) byPath.set(whole.path, whole)
    return whole
  }
  for (let index = 0; index < 40; index++) {
    const parent = random(3) === 0 ? folders.at(-1)! : at()
    const { path } = add({ path: `${parent}${name()}`, kind: 'folder', mode: 0o700 + random(0o100) })
    folders.push(`${path}/`)
  }
  const crowded = at()
  for (let index = 0; index < 600; index++) {
    const path = `${random(2) === 0 ? crowded : at()}${name()}`
    const size = random(5) === 0 ? 0 : random(4) === 0 ? 2048 * random(4) : random(9000)
    const files = [...byPath.values()].filter(({ kind }) => kind === 'file')
    const other = files[random(files.length)]
    const kind = random(20)
    if (kind === 0) add({ path, kind: 'symlink', target: `${'../'.repeat(random(5))}${name()}/${name()}` })
    else if (kind === 1 && other) add({ path, kind: 'hardlink', target: other.path })
    else add({ path, size, mode: 0o400 + random(0o400) })
  }
  return [...byPath.values()]
}
