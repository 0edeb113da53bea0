import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contentsOf } from '../../../../testing/archives.ts'
import { describeFull, testFull } from '../../../../testing/describe-full.ts'
import { testFiles } from '../../../../testing/files.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { corpus, hasCorpus } from '../../../../testing/fixtures/media.ts'
import { rar5 } from '../../../../testing/rar.ts'

const files = testFiles('archive-names')

const python = (script: string, ...args: string[]) =>
  execFileSync('/usr/bin/python3', ['-c', script, ...args], { maxBuffer: 1 << 26 }).toString()

/** Writes a ZIP of files with these bytes as names, each with its number as its content. */
const makeZip = `
import sys, zipfile, json
class Raw(zipfile.ZipInfo):
    def _encodeFilenameFlags(self):
        return self.raw, 0
with zipfile.ZipFile(sys.argv[1], 'w') as z:
    for index, (name, host) in enumerate(json.loads(sys.argv[2])):
        info = Raw(str(index)); info.raw = bytes.fromhex(name); info.create_system = host
        z.writestr(info, str(index))
`

/** Writes a TAR of the given members, without any check of their names. */
const makeTar = `
import sys, tarfile, json, io
with tarfile.open(sys.argv[1], 'w', format=tarfile.PAX_FORMAT) as t:
    for index, (name, kind, target) in enumerate(json.loads(sys.argv[2])):
        info = tarfile.TarInfo(name); info.type = kind.encode(); info.linkname = target
        data = str(index).encode() if kind == '0' else b''
        info.size = len(data)
        t.addfile(info, io.BytesIO(data))
`

/** Names and contents of a ZIP, or of a TAR with its links, read by Python. */
const readZip = `
import sys, zipfile, json
with zipfile.ZipFile(sys.argv[1]) as z: print(json.dumps([[i.filename, z.read(i).decode()] for i in z.infolist()]))`

const zipOf = (names: [name: Buffer, host: number][]) => {
  const path = files.write(Buffer.alloc(0), 'zip')
  python(makeZip, path, JSON.stringify(names.map(([name, host]) => [name.toString('hex'), host])))
  return path
}

const tarOf = (members: [name: string, kind: string, target: string][]) => {
  const path = files.write(Buffer.alloc(0), 'tar')
  python(makeTar, path, JSON.stringify(members))
  return path
}

const namesOf = (path: string) => JSON.parse(python(readZip, path)) as [string, string][]

test('names of any kind that lead out of the archive are moved inside; equal names are made unique', async () => {
  const path = tarOf([
    ['../up.txt', '0', ''],
    ['a/../../over.txt', '0', ''],
    ['/etc/absolute.txt', '0', ''],
    ['C:\\Windows\\drive.txt', '0', ''],
    ['D:relative.txt', '0', ''],
    ['..\\..\\back.txt', '0', ''],
    ['\\\\server\\share\\network.txt', '0', ''],
    ['new\nline\x1b[2J.txt', '0', ''],
    ['same.txt', '0', ''],
    ['same.txt', '0', ''],
    ['same.txt', '0', ''],
    ['kept\\x2dname', '0', ''],
    ['folder', '0', ''],
    ['folder/in a file.txt', '0', ''],
    ['door', '2', '/tmp'],
    ['door/through a link.txt', '0', ''],
    ['..', '5', ''],
    ['./', '5', ''],
    ['pipe', '6', ''],
    ['disk', '4', ''],
    ['nowhere', '1', 'not there'],
    ['second', '1', '../up.txt'],
  ])
  const { path: zip, warnings } = await convertFile('archive.tar-to-zip', path)
  expect(namesOf(zip)).toEqual([
    ['up.txt', '0'],
    ['over.txt', '1'],
    ['etc/absolute.txt', '2'],
    ['C_/Windows/drive.txt', '3'],
    ['D_relative.txt', '4'],
    ['back.txt', '5'],
    ['server/share/network.txt', '6'],
    ['new_line_[2J.txt', '7'],
    ['same.txt', '10'],
    ['kept\\x2dname', '11'],
    ['folder', '12'],
    ['folder (2)/in a file.txt', '13'],
    ['door', '/tmp'],
    ['door (2)/through a link.txt', '15'],
    ['second', '0'],
  ])
  const printed = warnings.join('\n')
  expect(printed).toMatch(/7 names that led out/)
  expect(printed).toMatch(/control characters in a name/)
  expect(printed).toMatch(/2 entries have the name of another/)
  expect(printed).toMatch(/2 devices or pipes were left out/)
  expect(printed).toMatch(/A symbolic link that leads out/)
  expect(printed).toMatch(/A hard link was left out/)
})

describeFull('an updated TAR', true, () => {
  const start = `
    mkdir -p tree/folder && cd tree
    echo old > a.txt; echo kept > b.txt; echo old > folder/c.txt; ln a.txt linked.txt; ln -s a.txt symbolic
    touch -d 2020-01-01 a.txt b.txt folder/c.txt folder`
  const change = 'rm a.txt; echo new > a.txt; echo newer > folder/c.txt; echo more > folder/d.txt'
  /** How GNU tar updates an archive; it extracts the last member of each name. */
  const updates: Record<string, string> = {
    'tar -r': `tar -cf ../it a.txt b.txt folder linked.txt symbolic; ${change}
      tar -rf ../it ./a.txt; tar -rf ../it folder/c.txt; echo newest > folder/c.txt; tar -rf ../it folder`,
    'tar -u': `tar -cf ../it .; ${change}; touch -d 2021-01-01 folder/c.txt
      tar -uf ../it .; echo newest > folder/c.txt; tar -uf ../it .`,
    ...Object.fromEntries(
      ['gnu', 'pax'].map(format => [
        `--listed-incremental --format=${format}`,
        `tar --format=${format} -g ../list -cf ../it .; sleep 0.02; ${change}; echo newest > folder/c.txt
        tar --format=${format} -g ../list -cf ../later .; tar -Af ../it ../later`,
      ]),
    ),
  }

  const cases: [string, string][] = [
    ...Object.keys(updates).map((update): [string, string] => ['tar', update]),
    ['tar-gz', 'tar -r'],
    ['tar-bz2', 'tar -r'],
    ['tar-xz', 'tar -r'],
    ['tar-zst', 'tar -r'],
  ]
  test.each(cases)('%s of %s: the last member of a name is the file', async (source, update) => {
    const folder = files.path(`${source} ${update}`.replace(/\W+/g, '-'))
    const shell = (script: string) => execFileSync('sh', ['-ec', script], { cwd: folder }).toString()
    mkdirSync(folder)
    shell(`${start}; ${updates[update]}`)
    const packer = {
      tar: undefined,
      'tar-gz': 'gzip',
      'tar-bz2': 'bzip2',
      'tar-xz': 'xz',
      'tar-zst': 'zstd --rm',
    }[source]
    if (packer) shell(`${packer} it; mv it.* it`)
    const path = `${folder}.${source.replace('-', '.')}`
    renameSync(`${folder}/it`, path)
    const { path: zip, warnings } = await convertFile(`archive.${source}-to-zip`, path)
    shell(`mkdir gnu bsd ours; tar -xf ${path} -C gnu; bsdtar -xf ${path} -C bsd; unzip -q ${zip} -d ours`)
    const tree = (of: string) => shell(`cd ${of}; find . | sort; find . -type f | sort | xargs grep .`)
    expect(tree('ours')).toBe(tree('gnu'))
    expect(tree('ours')).toBe(tree('bsd'))
    expect(tree('ours')).toContain('./folder/c.txt:newest')
    expect(tree('ours')).toContain('./linked.txt:old')
    expect(warnings).toEqual([])
    // Only these become an image directly.
    if (source !== 'tar-xz' && source !== 'tar-zst') return
    const { path: image } = await convertFile(`archive.${source}-to-iso`, path)
    shell(`mkdir image; bsdtar -xf ${image} -C image; chmod -R u+w image`)
    expect(tree('image')).toBe(tree('gnu'))
  })
})

testFull(
  'a CPIO is one without its suffix, too, with files that have no time and the numbers of a device',
  async () => {
    const record = (number: number, name: string, data: string) => {
      const fields = [number, 0o100644, 0, 0, 1, 0, data.length, 0, 0, 5, 1, name.length + 1, 0]
      const head = `070701${fields.map(value => value.toString(16).padStart(8, '0')).join('')}${name}\0`
      return head.padEnd((head.length + 3) & ~3, '\0') + data.padEnd((data.length + 3) & ~3, '\0')
    }
    const content = record(1, 'a', 'b') + record(2, 'c', 'd') + record(3, 'TRAILER!!!', '')
    const { path } = await convertFile('archive.cpio-to-tar', files.write(Buffer.from(content), 'dat'))
    expect(Object.keys(contentsOf(path))).toEqual(['a', 'c'])
  },
)

testFull('a ZIP entry from a pipe becomes a file', async () => {
  const path = files.write(execFileSync('zip', ['-q', '-', '-'], { input: 'from a pipe' }), 'zip')
  const { path: tar } = await convertFile('archive.zip-to-tar', path)
  expect(contentsOf(tar)).toMatchObject({ '-': { kind: 'file' } })
})

testFull('backslashes separate folders in a ZIP from Windows', async () => {
  const path = zipOf([
    [Buffer.from('folder\\file.txt'), 0],
    [Buffer.from('..\\..\\evil.txt'), 3],
    [Buffer.from('kept\\name.txt'), 3],
  ])
  const { path: tar } = await convertFile('archive.zip-to-tar', path)
  const { path: zip } = await convertFile('archive.tar-to-zip', tar)
  expect(namesOf(zip).map(([name]) => name)).toEqual(['folder/file.txt', 'evil.txt', 'kept\\name.txt'])
})

testFull('RAR links and their names are sanitised, too', async () => {
  const bytes = rar5([
    { name: '../../a.txt', data: Buffer.from('a') },
    { name: 'b.txt', link: { kind: 'hardlink', target: '../../a.txt' } },
    { name: 'c.txt', link: { kind: 'copy', target: 'missing' } },
  ])
  const { path, warnings } = await convertFile('archive.rar-to-zip', files.write(bytes, 'rar'))
  expect(namesOf(path)).toEqual([
    ['a.txt', 'a'],
    ['b.txt', 'a'],
  ])
  expect(warnings).toHaveLength(2)
})

describeFull('names of other encodings', true, () => {
  const encode = (encoding: string, ...names: string[]) =>
    names.map(name =>
      Buffer.from(
        python('import sys; print(sys.argv[1].encode(sys.argv[2]).hex())', name, encoding).trim(),
        'hex',
      ),
    )

  const zips: [string, number, string[]][] = [
    ['utf-8', 0, ['Größe.txt', '日本語.txt']],
    ['cp437', 0, ['Größe und Maß.txt', 'Übergabe für Müller.doc', 'Straße.txt']],
    ['shift_jis', 0, ['新しいフォルダー/表示テスト.txt', '写真.jpg']],
    ['shift_jis', 0, ['ソース.txt']],
    ['gbk', 0, ['新建文件夹/说明文档.txt', '照片.jpg']],
    ['cp866', 0, ['Новая папка/Документ.txt', 'фото.jpg']],
    ['euc_kr', 0, ['새 폴더/한국어 문서.txt']],
  ]
  // The guess itself is tried with all of them where it is made.
  test.each(zips)('%s in ZIP (%#)', async (encoding, host, names) => {
    const path = zipOf(encode(encoding, ...names).map(name => [name, host]))
    const { path: tar, warnings } = await convertFile('archive.zip-to-tar', path)
    const { path: zip } = await convertFile('archive.tar-to-zip', tar)
    expect(namesOf(zip).map(([name]) => name)).toEqual(names)
    expect(warnings.join()).toMatch(encoding === 'utf-8' ? /^$/ : /were read as .* guess/)
  })

  test('the option names the encoding of names that are guessed wrong', async () => {
    const path = zipOf(encode('shift_jis', '表.txt').map(name => [name, 0]))
    const { path: tar, warnings } = await convertFile('archive.zip-to-tar', path, { encoding: 'cp932' })
    expect(Object.keys(contentsOf(tar))).toEqual(['表.txt'])
    expect(warnings).toEqual([])
  })

  const tars: [string, string[]][] = [
    ['iso-8859-1', ['Größe.txt', 'été.txt']],
    ['koi8-r', ['Новая папка.txt']],
    ['cp1251', ['Документы за год.txt']],
  ]
  test.each(tars)('%s in TAR', async (encoding, names) => {
    const script = `
import sys, tarfile, json
with tarfile.open(sys.argv[1], 'w', format=tarfile.GNU_FORMAT, encoding=sys.argv[2]) as t:
    for name in json.loads(sys.argv[3]): t.addfile(tarfile.TarInfo(name))`
    const path = files.write(Buffer.alloc(0), 'tar')
    python(script, path, encoding, JSON.stringify(names))
    const { path: zip, warnings } = await convertFile('archive.tar-to-zip', path)
    expect(namesOf(zip).map(([name]) => name)).toEqual(names)
    expect(warnings.join()).toContain('were read as')
  })
})

describeFull('real files', hasCorpus, () => {
  test.each(['7z', 'rar', 'tar', 'tar-gz', 'zip', 'hostile'])('%s', async format => {
    for (const path of corpus(format)) {
      const source = format === 'hostile' ? path.slice(path.lastIndexOf('.') + 1) : format
      const target = source === 'zip' ? 'tar' : 'zip'
      const { path: converted } = await convertFile(`archive.${source}-to-${target}`, path)
      const listed = execFileSync('bsdtar', ['-tf', converted]).toString()
      expect(listed).not.toMatch(/^(\/|.*\.\.\/)/m)
      expect(listed).not.toBe('')
    }
  })
})
