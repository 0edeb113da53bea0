import { openAsBlob } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { strToU8, type Zippable, zipSync } from 'fflate'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { DamagedResult } from '../service/shared/placing/unpack.ts'
import { unpackResult } from './results.ts'

let base: string
let folder: string
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'refile-unpack-'))
  folder = join(base, 'results')
  onTestFinished(() => rm(base, { recursive: true, force: true }))
})

/** An archive of files, all marked as links; `change` gets its bytes. */
async function archive(
  files: Record<string, string>,
  change = (bytes: Buffer) => bytes,
  compress = false,
): Promise<string> {
  const options = { level: compress ? 6 : 0, os: 3, attrs: 0o120777 << 16 } as const
  const entries = Object.entries(files).map(
    ([name, text]) => [name, [strToU8(text), options]] satisfies [string, Zippable[string]],
  )
  const path = join(base, 'a.zip')
  await writeFile(path, change(Buffer.from(zipSync(Object.fromEntries(entries)))))
  return path
}

/** Unpacks an archive as the result of a conversion into the folder. */
const unpack = (path: string, to: string, existing: 'number' | 'replace') =>
  unpackResult(
    { stream: async () => (await openAsBlob(path)).stream() },
    join(to, 'a.txt'),
    existing,
    () => true,
  )

/** Replaces a name by one as long, which no writer would write. */
const named = (from: string, to: string) => (bytes: Buffer) =>
  Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1')

test('files keep their folders, and links become files', async () => {
  const path = await archive({ 'a.txt': '/etc/passwd', 'b/c/d.txt': 'deep' })
  const saved = await unpack(path, folder, 'number')
  expect(saved.map(file => relative(folder, file))).toEqual(['a.txt', join('b', 'c', 'd.txt')])
  expect(await readFile(saved[0]!, 'utf8')).toBe('/etc/passwd')
  const [second] = await unpack(path, folder, 'number')
  expect(second).toBe(join(folder, 'a (2).txt'))
  expect(await unpack(path, folder, 'replace')).toEqual(saved)
})

test.each([
  ['00/evil.txt', '../evil.txt'],
  ['0/evil.txt', '//evil.txt'],
  ['00evil.txt', 'C:evil.txt'],
])('an archive with %s as %s stays in the folder', async (plain, evil) => {
  const path = await archive({ 'a.txt': 'fine', [plain]: 'evil' }, named(plain, evil))
  await unpack(path, folder, 'replace').catch(error => expect(error).toBeInstanceOf(DamagedResult))
  expect((await readdir(base)).toSorted()).toEqual(['a.zip', 'results'])
  expect(await readdir(folder)).not.toContain('evil.txt')
})

test('names that systems refuse or confuse are changed, and none replaces another', async () => {
  const path = await archive({ 'nul.txt': 'one', 'A.txt': 'two', 'a.txt': 'three', 'x|y?.txt': 'four' })
  const saved = await unpack(path, folder, 'replace')
  expect(saved.map(file => relative(folder, file))).toEqual(['_nul.txt', 'A.txt', 'a (2).txt', 'x_y_.txt'])
  expect(await Promise.all(saved.map(file => readFile(file, 'utf8')))).toEqual([
    'one',
    'two',
    'three',
    'four',
  ])
})

test.each([
  ['cut', false, (bytes: Buffer) => bytes.subarray(0, bytes.length - 30)],
  ['with other content', false, named('second', 'secOnd')],
  [
    'that claims gigabytes',
    true,
    (bytes: Buffer) => {
      // Size in the directory's second entry: 24 bytes after its signature.
      bytes.writeUInt32LE(0xfffffff0, bytes.lastIndexOf('PK\x01\x02', undefined, 'latin1') + 24)
      return bytes
    },
  ],
] as const)('of an archive %s nothing is left', async (_name, compress, change) => {
  const zip = await archive({ 'a.txt': 'first', 'b.txt': 'second' }, change, compress)
  await expect(unpack(zip, folder, 'number')).rejects.toMatchObject({ code: 'result.damaged' })
  expect(await readdir(folder).catch(() => [])).toEqual([])
})
