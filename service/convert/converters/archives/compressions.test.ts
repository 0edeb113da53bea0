/** Archives packed by another method than their name or program tells. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { zstdCompressSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { testFiles } from '../../../../testing/files.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { changed7z } from '../../../../testing/hostile-archives.ts'

const files = testFiles('compressions')
const tree = files.path('tree')
const content = 'some words that pack well\n'.repeat(500)
const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd: tree, maxBuffer: 1 << 24 })

beforeAll(() => {
  mkdirSync(tree)
  writeFileSync(`${tree}/words.txt`, content)
})

describe('a compressed TAR with the name of another compression', () => {
  test.each([
    ['xz', 'tar.gz', 'tar-gz'],
    ['zstd', 'tar.gz', 'tar-gz'],
    ['bzip2', 'tar.gz', 'tar-gz'],
    ['gzip', 'tar.bz2', 'tar-bz2'],
  ])('%s as .%s', async (compression, suffix, format) => {
    const tar = run('tar', '-cf', '-', 'words.txt')
    const packed =
      compression === 'zstd' ? zstdCompressSync(tar) : execFileSync(compression, ['-c'], { input: tar })
    const { path } = await convertFile(`archive.${format}-to-zip`, files.write(packed, suffix))
    expect(run('unzip', '-p', path).toString()).toBe(content)
  })
})

describe('a method that cannot be read is named', () => {
  test('Zstandard in 7z', async () => {
    run('7z', 'a', '-m0=copy', '-mhc=off', files.path('copy.7z'), 'words.txt')
    const path = files.write(withZstandard(readFileSync(files.path('copy.7z'))), '7z')
    await expect(convertFile('archive.7z-to-zip', path)).rejects.toMatchObject({
      code: 'jobs.unsupported_input',
      message: expect.stringContaining('Zstandard'),
    })
  })

  test('RAR 1.4', async () => {
    // Length of the header, flags, and nothing in it.
    const path = files.write(
      Buffer.concat([Buffer.from('RE~^\x07\x00\x00', 'latin1'), Buffer.alloc(40)]),
      'rar',
    )
    await expect(convertFile('archive.rar-to-zip', path)).rejects.toMatchObject({
      code: 'jobs.unsupported_input',
      message: expect.stringContaining('RAR 1.4'),
    })
  })
})

/** The same 7z with the number of Zstandard instead of the one of copying. */
const withZstandard = (file: Buffer): Buffer =>
  // One coder, the length of its number, the number, and the mark of what follows (0c).
  changed7z(file, header => Buffer.from(header.toString('hex').replace('0101000c', '010404f711010c'), 'hex'))
