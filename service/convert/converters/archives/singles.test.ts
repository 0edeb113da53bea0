/** Single files that are compressed, as `gzip`, `bzip2`, `xz` and `zstd` make them. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { contentsOf } from '../../../../testing/archives.ts'
import { testFiles } from '../../../../testing/files.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { few } from '../../../../testing/fixtures/full.ts'
import { ARCHIVE_LIMITS } from '../../engines/common/limits.ts'

const files = testFiles('singles')
const text = Buffer.from(Array.from({ length: 10_000 }, (_, index) => `line ${index * 7919}\n`).join(''))
const programs = { gz: 'gzip', bz2: 'bzip2', xz: 'xz', zst: 'zstd' }
const suffixes = Object.keys(programs)

beforeAll(() => {
  for (const [suffix, program] of Object.entries(programs)) {
    const pack = (content: Buffer) => execFileSync(program, ['-c'], { input: content, maxBuffer: 1 << 26 })
    writeFileSync(files.path(`today.sql.${suffix}`), Buffer.concat([pack(text), pack(Buffer.from('end'))]))
    const tar = execFileSync('tar', ['-cf', '-', '-C', files.folder, 'today.sql.gz'], { maxBuffer: 1 << 26 })
    writeFileSync(files.path(`folder.${suffix}`), pack(tar))
  }
})

test.each(few(1, suffixes))('%s becomes an archive with the file in it', async suffix => {
  for (const target of suffix === 'gz' ? few(1, ['zip', '7z', 'tar']) : ['zip']) {
    const { path, warnings } = await convertFile(
      `archive.${suffix}-to-${target}`,
      files.path(`today.sql.${suffix}`),
    )
    expect(Object.keys(contentsOf(path))).toEqual(['today.sql'])
    expect(
      execFileSync('bsdtar', ['-xOf', path], { maxBuffer: 1 << 26 }).equals(
        Buffer.concat([text, Buffer.from('end')]),
      ),
    ).toBe(true)
    expect(warnings).toEqual([])
  }
})

test.each(few(1, suffixes))('the contents of %s are the file itself', async suffix => {
  const { outputs, path } = await convertFile(
    `archive.${suffix}-to-contents`,
    files.path(`today.sql.${suffix}`),
  )
  expect(outputs).toEqual([{ path, name: 'today.sql' }])
  expect(readFileSync(path).equals(Buffer.concat([text, Buffer.from('end')]))).toBe(true)
})

test.each(few(1, suffixes))('%s that is a TAR without its name becomes what is in it', async suffix => {
  const { path } = await convertFile(`archive.${suffix}-to-zip`, files.path(`folder.${suffix}`))
  const inside = execFileSync('unzip', ['-p', path, 'today.sql.gz'], { maxBuffer: 1 << 26 })
  expect(gunzipSync(inside).subarray(0, text.length).equals(text)).toBe(true)
})

describe('hostile', () => {
  test.each(suffixes)('%s that breaks off is refused', async suffix => {
    const whole = readFileSync(files.path(`today.sql.${suffix}`))
    const path = files.write(whole.subarray(0, whole.length / 2), suffix)
    await expect(convertFile(`archive.${suffix}-to-zip`, path)).rejects.toMatchObject({
      code: 'jobs.corrupt_input',
    })
  })

  test('a bomb is refused before it has been unpacked', async () => {
    const free = 1 << 23
    vi.spyOn(ARCHIVE_LIMITS, 'ratioFreeBytes', 'get').mockReturnValue(free)
    onTestFinished(() => void vi.restoreAllMocks())
    const member = gzipSync(Buffer.alloc(free))
    const path = files.write(Buffer.concat(Array<Buffer>(2).fill(member)), 'gz')
    await expect(convertFile('archive.gz-to-zip', path)).rejects.toMatchObject({ code: 'jobs.too_large' })
  })

  test.each(['deb', 'cab'])('%s that is none is refused', async suffix => {
    const path = files.write(
      Buffer.from('!<arch>\ndebian-binary   0           0     0     100644  999       `\n2.0\n'),
      suffix,
    )
    await expect(convertFile(`archive.${suffix}-to-zip`, path)).rejects.toMatchObject({
      code: 'jobs.corrupt_input',
    })
  })
})
