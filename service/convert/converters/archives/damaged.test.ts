import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { testFull } from '../../../../testing/describe-full.ts'
import { testFiles } from '../../../../testing/files.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { few, kinds } from '../../../../testing/fixtures/full.ts'
import { judge } from '../../../../testing/fixtures/media.ts'
import { seeded } from '../../../../testing/fixtures/pixels.ts'
import { faultOf, malformed } from '../../../../testing/malformed.ts'
import { rar4, rar5 } from '../../../../testing/rar.ts'

const files = testFiles('hostile-archives')
const tree = files.path('tree')
const pack = (program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd: tree, stdio: 'ignore' })

/** Incompressible bytes, always the same, so that changes by seed are reproducible. */
function noiseOf(length: number): Buffer {
  const random = seeded(1)
  return Buffer.from(Array.from({ length }, () => random(256)))
}

beforeAll(() => {
  mkdirSync(`${tree}/folder`, { recursive: true })
  const words = Buffer.from('some words that pack well '.repeat(40))
  const noise = noiseOf(2500)
  writeFileSync(`${tree}/folder/words.txt`, words)
  writeFileSync(`${tree}/noise.bin`, noise)
  for (const name of ['folder/words.txt', 'noise.bin', 'folder', '.']) utimesSync(`${tree}/${name}`, 1e9, 1e9)
  pack('7z', 'a', files.path('a.7z'), '.')
  pack('zip', '-qr', files.path('a.zip'), '.')
  // Ends with its data: truncating the blocks of zeros after it would do no harm.
  pack('tar', '-b1', '-cf', files.path('a.tar'), 'folder', 'noise.bin')
  pack('tar', '-czf', files.path('a.tar.gz'), '.')
  pack('tar', '-cjf', files.path('a.tar.bz2'), '.')
  const members = [
    { name: 'words.txt', data: words },
    { name: 'noise.bin', data: noise },
  ]
  writeFileSync(files.path('5.rar'), rar5(members))
  writeFileSync(files.path('4.rar'), rar4(members))
})

/** Whether another program reads all of an archive. */
const isSound = (path: string) =>
  (path.endsWith('.tar') ? judge('tar', '-tf', path) : judge('7z', 't', path)).status === 0

/** How a conversion ended; an unexpected error is returned itself. */
async function ending(job: string, path: string): Promise<unknown> {
  try {
    const result = await convertFile(job, path)
    return isSound(result.path) ? 'well' : 'with an archive that cannot be read'
  } catch (error) {
    return faultOf(error) ?? 'well'
  }
}

test.each(
  kinds(
    [
      ['a.7z', 'archive.7z-to-tar'],
      ['5.rar', 'archive.rar-to-tar'],
      ['4.rar', 'archive.rar-to-zip'],
      ['a.zip', 'archive.zip-to-tar'],
      ['a.zip', 'archive.zip-to-iso'],
      ['a.tar', 'archive.tar-to-zip'],
      ['a.tar', 'archive.tar-to-iso'],
      ['a.tar.gz', 'archive.tar-gz-to-zip'],
      ['a.tar.bz2', 'archive.tar-bz2-to-zip'],
    ],
    ([name]) => /^a\.(zip|tar|tar\.gz)$/.test(name),
  ),
)('%s, truncated or changed, gives a sound archive or a documented failure as %s', async (name, job) => {
  for (const { name: damage, bytes, cut } of malformed(readFileSync(files.path(name)))) {
    const path = files.write(bytes, name.slice(name.indexOf('.') + 1))
    expect({ damage, ended: await ending(job, path) }).toEqual({ damage, ended: 'well' })
    if (cut && cut < 90)
      await expect(convertFile(job, path)).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
  }
})

describe('one damaged member costs that member', () => {
  const names = ['folder/words.txt', 'noise.bin', 'whole.txt']
  beforeAll(() => {
    writeFileSync(`${tree}/whole.txt`, 'whole')
    pack('zip', '-q', files.path('three.zip'), ...names)
    const members = names.map(name => ({ name, data: readFileSync(`${tree}/${name}`) }))
    writeFileSync(files.path('three.rar'), rar5(members))
  })

  test.each(
    few(1, [
      ['three.zip', 'archive.zip-to-tar'],
      ['three.zip', 'archive.zip-to-7z'],
      ['three.zip', 'archive.zip-to-tar-xz'],
      ['three.zip', 'archive.zip-to-iso'],
      ['three.rar', 'archive.rar-to-zip'],
    ]),
  )('%s as %s', async (name, job) => {
    const bytes = readFileSync(files.path(name))
    const noise = bytes.indexOf(noiseOf(2500).subarray(100, 200))
    bytes[noise]! ^= 1
    const result = await convertFile(job, files.write(bytes, name.slice(name.indexOf('.') + 1)))
    expect(result.warnings).toEqual([
      'A file is damaged in the archive and was left out, the first "noise.bin". All others are whole.',
    ])
    const listed = execFileSync('bsdtar', ['-tf', result.path], { encoding: 'utf8' })
    expect(listed.split('\n').filter(path => names.includes(path))).toEqual(['folder/words.txt', 'whole.txt'])
    expect(isSound(result.path)).toBe(true)
  })

  testFull('but not the only one', async () => {
    const bytes = rar5([{ name: 'noise.bin', data: noiseOf(2500) }])
    bytes[bytes.length - 200]! ^= 0xff
    await expect(convertFile('archive.rar-to-zip', files.write(bytes, 'rar'))).rejects.toMatchObject({
      code: 'jobs.corrupt_input',
    })
  })
})

describe('a password', () => {
  beforeAll(() => {
    pack('7z', 'a', '-psesame', files.path('data.7z'), '.')
    pack('7z', 'a', '-psesame', '-mhe=on', files.path('names.7z'), '.')
    pack('7z', 'a', '-tzip', '-psesame', '-mem=AES256', files.path('aes.zip'), '.')
    pack('zip', '-qrP', 'sesame', files.path('old.zip'), '.')
  })

  test.each(kinds(['data.7z', 'names.7z', 'aes.zip', 'old.zip'], name => name === 'data.7z'))(
    '%s asks for it, and refuses a wrong one',
    async name => {
      const job = `archive.${name.endsWith('zip') ? 'zip' : '7z'}-to-tar`
      const convert = (options: object) => convertFile(job, files.path(name), { ...options })
      await expect(convert({})).rejects.toMatchObject({
        code: 'jobs.encrypted_input',
        detail: expect.stringContaining('Give it under Password'),
      })
      await expect(convert({ password: 'Sesame' })).rejects.toMatchObject({
        code: 'jobs.encrypted_input',
        detail: expect.stringContaining('does not open'),
      })
      const { path } = await convert({ password: 'sesame' })
      expect(execFileSync('tar', ['-xOf', path, 'noise.bin'])).toEqual(readFileSync(`${tree}/noise.bin`))
    },
  )
})

describe('one part of a split archive', () => {
  const refused = (job: string, path: string) =>
    expect(convertFile(job, path)).rejects.toMatchObject({
      code: 'jobs.corrupt_input',
      detail: expect.stringContaining('one part'),
    })

  test('7z', async () => {
    pack('7z', 'a', '-v1k', files.path('part.7z'), '.')
    await refused('archive.7z-to-tar', files.path('part.7z.001'))
  })

  test('RAR', async () => {
    const bytes = rar5([{ name: 'a', data: Buffer.from('a') }], { isVolume: true })
    await refused('archive.rar-to-tar', files.write(bytes, 'rar'))
  })

  test('ZIP', async () => {
    writeFileSync(`${tree}/large.bin`, noiseOf(150_000))
    pack('zip', '-qr', '-s', '64k', files.path('split.zip'), '.')
    await refused('archive.zip-to-tar', files.path('split.zip'))
  })
})

describe('disproportionate content', () => {
  test('a ZIP that declares it, and one that contains more than it declares', async () => {
    const zip = readFileSync(files.path('a.zip'))
    const sizeOf = (size: number) => {
      const copy = Buffer.from(zip)
      const entry = copy.indexOf(Buffer.from('PK\x01\x02'))
      let at = entry
      while (copy.readUInt32LE(at + 24) === 0) at = copy.indexOf(Buffer.from('PK\x01\x02'), at + 4)
      copy.writeUInt32LE(size, at + 24)
      return convertFile('archive.zip-to-tar', files.write(copy, 'zip'))
    }
    await expect(sizeOf(0xffff_fffe)).rejects.toMatchObject({ code: 'jobs.too_large' })
    expect((await sizeOf(10)).warnings).toEqual([expect.stringContaining('was left out')])
  })

  test('nested folders', async () => {
    const name = `${'a/'.repeat(300)}b`
    const bytes = rar5([{ name, data: Buffer.from('a') }])
    await expect(convertFile('archive.rar-to-zip', files.write(bytes, 'rar'))).rejects.toMatchObject({
      code: 'jobs.too_large',
    })
  })
})

testFull('a file that is not an archive', async () => {
  for (const source of ['7z', 'rar', 'zip', 'tar', 'tar-gz', 'tar-bz2']) {
    const path = files.write(Buffer.from('This is no archive.'.repeat(90)), 'bin')
    const target = source === 'zip' ? 'tar' : 'zip'
    await expect(convertFile(`archive.${source}-to-${target}`, path)).rejects.toMatchObject({
      code: 'jobs.corrupt_input',
    })
  }
})
