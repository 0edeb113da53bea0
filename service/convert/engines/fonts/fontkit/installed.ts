/** The fonts installed on this machine by family, read from the name tables of the files on every operating system. */
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { extname, join } from 'node:path'
import { modelFolders } from '../../../../shared/model-folders.ts'
import { readAt } from '../../common/read-at.ts'
import { nameIds, namesIn } from '../sfnt/names.ts'

export interface FontFile {
  path: string
  bytes: number
}

const FILE_LIMIT = 5000
const FOLDER_DEPTH = 6
/** Larger files contain several scripts in several weights, and are ignored. */
const FILE_BYTES = 40 * 2 ** 20
const NAME_TABLE_BYTES = 2 ** 18
/** Maximum number of faces that are read from a collection. */
const FACE_LIMIT = 16
const TABLE_LIMIT = 200
const SUFFIXES = new Set(['.ttf', '.otf', '.ttc', '.otc'])
/** Number of files that are read concurrently. */
const LANES = 8

/** The font folders of the system and the user. */
function systemFolders(): string[] {
  const home = homedir()
  switch (process.platform) {
    case 'win32':
      return [
        join(process.env.SystemRoot ?? 'C:\\Windows', 'Fonts'),
        join(home, 'AppData', 'Local', 'Microsoft', 'Windows', 'Fonts'),
      ]
    case 'darwin':
      return ['/System/Library/Fonts', '/Library/Fonts', join(home, 'Library', 'Fonts')]
    default:
      return [
        '/usr/share/fonts',
        '/usr/local/share/fonts',
        join(home, '.local', 'share', 'fonts'),
        join(home, '.fonts'),
      ]
  }
}

/** Families are compared case-insensitively. */
export const familyKey = (name: string): string => name.trim().toLowerCase()

let known: Promise<Map<string, FontFile[]>> | undefined

/**
 * Font files by `familyKey`. The system's and the user's are searched once per process, those that Refile has downloaded each time, since one
 * may have arrived.
 */
export async function installedFonts(): Promise<Map<string, FontFile[]>> {
  known ??= findFonts(systemFolders())
  const downloaded = await findFonts(modelFolders().map(folder => join(folder, 'fonts')))
  return new Map([...downloaded, ...(await known)])
}

async function findFonts(folders: readonly string[]): Promise<Map<string, FontFile[]>> {
  const paths: string[] = []
  for (const folder of folders) await collect(folder, FOLDER_DEPTH, paths)
  const byFamily = new Map<string, FontFile[]>()
  const waiting = paths.values()
  const read = async () => {
    for (const path of waiting) {
      const bytes = (await stat(path).catch(() => undefined))?.size ?? 0
      if (bytes === 0 || bytes > FILE_BYTES) continue
      for (const family of await familiesOf(path)) {
        const files = byFamily.get(family) ?? []
        byFamily.set(family, [...files, { path, bytes }])
      }
    }
  }
  await Promise.all(Array.from({ length: LANES }, read))
  return byFamily
}

async function collect(folder: string, depth: number, paths: string[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (paths.length >= FILE_LIMIT) return
    if (entry.isDirectory() && depth > 0) await collect(path, depth - 1, paths)
    else if (SUFFIXES.has(extname(entry.name).toLowerCase())) paths.push(path)
  }
}

/** Families of the faces in a font file; empty if it cannot be read. */
async function familiesOf(path: string): Promise<Set<string>> {
  const families = new Set<string>()
  try {
    await using file = await open(path)
    for (const face of await facesOf(file)) {
      const names = await nameTable(file, face)
      if (names) for (const { text } of namesIn(names, FAMILY_NAMES)) families.add(familyKey(text))
    }
  } catch {
    // Damaged fonts are ignored.
  }
  return families
}

/** Offsets of the faces: one in a single font, several in a collection. */
async function facesOf(file: FileHandle): Promise<number[]> {
  const head = await readAt(file, 0, 12 + FACE_LIMIT * 4)
  if (head.toString('latin1', 0, 4) !== 'ttcf') return [0]
  const count = Math.min(FACE_LIMIT, head.readUInt32BE(8))
  return Array.from({ length: count }, (_, face) => head.readUInt32BE(12 + face * 4))
}

async function nameTable(file: FileHandle, face: number): Promise<Buffer | undefined> {
  const count = Math.min(TABLE_LIMIT, (await readAt(file, face, 12)).readUInt16BE(4))
  const directory = await readAt(file, face + 12, count * 16)
  for (let at = 0; at + 16 <= directory.length; at += 16) {
    if (directory.toString('latin1', at, at + 4) !== 'name') continue
    const bytes = Math.min(NAME_TABLE_BYTES, directory.readUInt32BE(at + 12))
    return readAt(file, directory.readUInt32BE(at + 8), bytes)
  }
  return undefined
}

const FAMILY_NAMES = [nameIds.family, nameIds.typographicFamily]
