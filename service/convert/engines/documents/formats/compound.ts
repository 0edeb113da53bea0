/** Reads compound files ([MS-CFB]): the container of the older Office formats, and of protected newer ones. */
import { DamagedFile } from '../../common/damage.ts'

const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const HEADER_BYTES = 512
/** Number of FAT sectors listed in the header itself. */
const HEADER_FAT_SECTORS = 109
const LAST_SECTOR = 0xffff_fffa
const END_OF_CHAIN = 0xffff_fffe
/** The size from which streams have sectors of their own. */
const MINI_LIMIT = 4096
const DIRECTORY_ENTRY_BYTES = 128
const MINI_SECTOR_BYTES = 64
const STREAM = 2
const ROOT = 5

interface DirectoryEntry {
  name: string
  kind: number
  /** Indexes of its siblings and of the first entry in it; any other number if there is none. */
  left: number
  right: number
  child: number
  start: number
  bytes: number
}

export const isCompound = (head: Uint8Array): boolean => SIGNATURE.equals(head.subarray(0, SIGNATURE.length))

/** Names are compared without case: [MS-CFB] 2.6.4. */
const keyOf = (name: string): string => name.toUpperCase()

/**
 * The streams of a compound file by name, whatever storage they are in. Of several with the same name, that of the file itself
 * counts, not those of embedded documents.
 */
export class CompoundFile {
  readonly #bytes: Buffer
  readonly #sectorBytes: number
  readonly #fat: Uint32Array
  readonly #miniFat: Uint32Array
  readonly #rootStart: number
  readonly #miniStream: Buffer
  readonly #miniLimit: number
  readonly #streams = new Map<string, DirectoryEntry>()
  readonly #top: ReadonlySet<string>
  readonly #entries: readonly DirectoryEntry[]

  /** @throws DamagedFile if it is damaged */
  constructor(bytes: Buffer) {
    if (bytes.length < HEADER_BYTES || !isCompound(bytes)) throw new DamagedFile('no compound file')
    this.#bytes = bytes
    const shift = bytes.readUInt16LE(30)
    if (shift !== 9 && shift !== 12) throw new DamagedFile('unknown size of sectors')
    this.#sectorBytes = 1 << shift
    this.#miniLimit = bytes.readUInt32LE(56)
    this.#fat = this.#numbers(this.#fatSectors())
    const directory = this.#chain(bytes.readUInt32LE(48))
    this.#miniFat = this.#numbers(this.#sectorsOf(bytes.readUInt32LE(60)))
    const entries = parseDirectory(directory)
    this.#entries = entries
    const root = entries.find(({ kind }) => kind === ROOT)
    this.#rootStart = root?.start ?? LAST_SECTOR
    this.#miniStream = this.#chain(this.#rootStart)
    const top = root ? entriesIn(root, entries) : []
    this.#top = new Set(top.filter(({ kind }) => kind === STREAM).map(({ name }) => keyOf(name)))
    for (const entry of [...top, ...entries]) {
      const key = keyOf(entry.name)
      if (entry.kind === STREAM && !this.#streams.has(key)) this.#streams.set(key, entry)
    }
  }

  /** Whether a program ends that follows the sectors of each stream to their end, and believes their numbers. */
  get isFollowable(): boolean {
    const counts = [44, 64, 72].map(at => this.#bytes.readUInt32LE(at))
    if (this.#miniLimit !== MINI_LIMIT || counts.some(count => count > this.#sectorCount)) return false
    return this.#entries.every(({ kind, start, bytes }, at) => {
      // The first is the root, whatever it says.
      if (at > 0 && (bytes === 0 || kind !== STREAM)) return true
      const fat = at > 0 && bytes < MINI_LIMIT ? this.#miniFat : this.#fat
      let sector: number | undefined = start
      for (let seen = 0; seen < fat.length && sector !== undefined; seen++) {
        if (sector === END_OF_CHAIN) break
        sector = fat[sector]
      }
      return sector === END_OF_CHAIN
    })
  }

  has(name: string): boolean {
    return this.#streams.has(keyOf(name))
  }

  /** Whether the stream is in no storage, such as that of an embedded document. */
  hasAtTop(name: string): boolean {
    return this.#top.has(keyOf(name))
  }

  /** The content of a stream. @throws DamagedFile if it is damaged */
  stream(name: string): Buffer | undefined {
    const entry = this.#streams.get(keyOf(name))
    if (!entry) return undefined
    const { start, bytes } = entry
    const content = bytes < this.#miniLimit ? this.#miniChain(start) : this.#chain(start)
    if (content.length < bytes) throw new DamagedFile('a stream is cut off')
    return content.subarray(0, bytes)
  }

  /** Overwrites a stream with content of the same length, within the bytes of the file. */
  overwrite(name: string, content: Buffer): void {
    const entry = this.#streams.get(keyOf(name))
    if (entry?.bytes !== content.length) throw new DamagedFile('not the length of the stream')
    const isMini = entry.bytes < this.#miniLimit
    const step = isMini ? MINI_SECTOR_BYTES : this.#sectorBytes
    const sectors = this.#sectorsOf(entry.start, isMini ? this.#miniFat : this.#fat)
    const rootSectors = isMini ? this.#sectorsOf(this.#rootStart) : []
    for (const [index, sector] of sectors.entries()) {
      const inRoot = sector * MINI_SECTOR_BYTES
      const at = isMini
        ? ((rootSectors[Math.floor(inRoot / this.#sectorBytes)] ?? 0) + 1) * this.#sectorBytes +
          (inRoot % this.#sectorBytes)
        : (sector + 1) * this.#sectorBytes
      content.copy(this.#bytes, at, index * step, (index + 1) * step)
    }
  }

  #sector(index: number): Buffer {
    const at = (index + 1) * this.#sectorBytes
    return this.#bytes.subarray(at, at + this.#sectorBytes)
  }

  get #sectorCount(): number {
    return Math.ceil(this.#bytes.length / this.#sectorBytes)
  }

  #fatSectors(): number[] {
    const list: number[] = []
    const add = (sector: number) => {
      if (sector < LAST_SECTOR) list.push(sector)
    }
    for (let i = 0; i < HEADER_FAT_SECTORS; i++) add(this.#bytes.readUInt32LE(76 + i * 4))
    let more = this.#bytes.readUInt32LE(68)
    for (let seen = 0; more < LAST_SECTOR; seen++) {
      if (seen > this.#sectorCount) throw new DamagedFile('sectors go round in circles')
      const sector = this.#sector(more)
      for (let at = 0; at + 8 <= sector.length; at += 4) add(sector.readUInt32LE(at))
      more = sector.readUInt32LE(this.#sectorBytes - 4)
    }
    return list
  }

  #sectorsOf(start: number, fat = this.#fat): number[] {
    const list: number[] = []
    for (let sector = start; sector < LAST_SECTOR; sector = fat[sector] ?? LAST_SECTOR) {
      if (list.length > fat.length) throw new DamagedFile('sectors go round in circles')
      list.push(sector)
    }
    return list
  }

  #chain(start: number): Buffer {
    return Buffer.concat(this.#sectorsOf(start).map(sector => this.#sector(sector)))
  }

  #miniChain(start: number): Buffer {
    const places = this.#sectorsOf(start, this.#miniFat).map(sector => sector * MINI_SECTOR_BYTES)
    return Buffer.concat(places.map(at => this.#miniStream.subarray(at, at + MINI_SECTOR_BYTES)))
  }

  #numbers(sectors: readonly number[]): Uint32Array {
    if (sectors.length > this.#sectorCount) throw new DamagedFile('more sectors than the file has')
    const bytes = Buffer.concat(sectors.map(sector => this.#sector(sector)))
    return Uint32Array.from({ length: bytes.length >> 2 }, (_, index) => bytes.readUInt32LE(index * 4))
  }
}

function parseDirectory(directory: Buffer): DirectoryEntry[] {
  const entries: DirectoryEntry[] = []
  for (let at = 0; at + DIRECTORY_ENTRY_BYTES <= directory.length; at += DIRECTORY_ENTRY_BYTES) {
    const nameBytes = Math.min(64, directory.readUInt16LE(at + 64))
    entries.push({
      name: directory.toString('utf16le', at, at + Math.max(0, nameBytes - 2)),
      kind: directory[at + 66]!,
      left: directory.readUInt32LE(at + 68),
      right: directory.readUInt32LE(at + 72),
      child: directory.readUInt32LE(at + 76),
      start: directory.readUInt32LE(at + 116),
      bytes: directory.readUInt32LE(at + 120),
    })
  }
  return entries
}

/** The entries of a storage, which form a tree of siblings: [MS-CFB] 2.6.4. */
function entriesIn({ child }: DirectoryEntry, entries: readonly DirectoryEntry[]): DirectoryEntry[] {
  const found = new Set<DirectoryEntry>()
  const open = [child]
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const entry = entries[index]
    if (!entry || found.has(entry)) continue
    found.add(entry)
    open.push(entry.left, entry.right)
  }
  return [...found]
}
