import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { tool } from '../../../../../testing/fixtures/media.ts'
import type { ArchiveEntry, Member } from '../model.ts'
import { FileSink } from '../sink.ts'
import { writeTar } from './write.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-tar-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Entries of an archive in which each file contains its own path. */
const entriesOf = (entries: Partial<ArchiveEntry>[]): ArchiveEntry[] =>
  entries.map(entry => {
    const path = entry.path ?? ''
    const kind = entry.kind ?? 'file'
    return {
      kind,
      size: kind === 'file' ? Buffer.byteLength(path) : 0,
      modified: new Date('2020-02-03T04:05:06Z'),
      mode: null,
      ...entry,
      path,
    }
  })

async function* membersOf(entries: readonly ArchiveEntry[]): AsyncGenerator<Member> {
  for (const entry of entries)
    yield entry.kind === 'file' ? { entry, data: [Buffer.from(entry.path)] } : { entry }
}

/** Name, kind, mode, time in seconds, size, target and content of each member, as read by Python. */
const judge = `
import tarfile, sys, json
print(json.dumps([[m.name, m.type.decode(), m.mode, float(m.mtime), m.size, m.linkname,
  t.extractfile(m).read().decode() if m.isreg() else None] for t in [tarfile.open(sys.argv[1])] for m in t]))`

test('long names, other scripts, unusual times, links and modes are read back unchanged', async () => {
  const highBitDepth = Array.from({ length: 30 }, (_, index) => `folder-${index}`).join('/')
  const entries = entriesOf([
    { path: 'empty', kind: 'folder', mode: 0o1777 },
    { path: 'plain.txt', mode: 0o4755 },
    { path: `${'a'.repeat(120)}/${'b'.repeat(90)}` },
    { path: `${highBitDepth}/${'c'.repeat(180)}` },
    { path: 'Größe 日本 🚀.txt', modified: new Date('2020-02-03T04:05:06.789Z') },
    { path: 'old', modified: new Date('1960-01-01T00:00:00Z') },
    { path: 'far', modified: new Date('2500-01-01T00:00:00Z') },
    { path: 'undated', modified: null },
    { path: 'link', kind: 'symlink', target: `../${'x/'.repeat(80)}` },
    { path: 'same', kind: 'hardlink', target: 'plain.txt' },
  ])
  const path = join(folder, 'a.tar')
  {
    await using sink = await FileSink.create(path)
    await writeTar(membersOf(entries), sink)
    await sink.end()
  }
  const read = JSON.parse(tool('/usr/bin/python3', '-c', judge, path)) as unknown[][]
  const types = { file: '0', hardlink: '1', symlink: '2', folder: '5' }
  expect(read).toEqual(
    entries.map(({ path, kind, mode, modified, size, target }) => [
      path,
      types[kind],
      mode ?? (kind === 'symlink' ? 0o777 : 0o644),
      (modified?.getTime() ?? 0) / 1000,
      kind === 'hardlink' ? 0 : size,
      target ?? '',
      kind === 'file' ? path : null,
    ]),
  )
  expect(statSync(path).size % 10_240).toBe(0)
  expect(tool('bsdtar', '-tf', path).trimEnd().split('\n')).toHaveLength(entries.length)
})
