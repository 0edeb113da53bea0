import { symlinkSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { JobError, RefileError, type Result } from '../sdk/src/index.ts'
import { readOptions } from './catalogue.ts'
import { exitCodeOf, messageOf, UsageError } from './exit-codes.ts'
import { Report } from './report.ts'
import { resultPath, saveResult } from './results.ts'
import { readSettings } from './settings.ts'

const temporary = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'refile-results-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
const bytes = (text: string) => new Blob([text]).stream()
const writeResult = (content: ReadableStream<Uint8Array>, path: string, taken: 'number' | 'replace') => {
  const result = { fileCount: 1, fileName: basename(path), stream: async () => content } as Result
  return saveResult(result, path, taken, () => true)
}

test.each([
  ['{name}', 'out/a.b.jpg'],
  ['{index}-{name}.{ext}-{target}', 'out/3-a.b.heic-jpg.jpg'],
  ['../../{name}', 'out/.._.._a.b.jpg'],
  ['{name}\u001b[31m\u202egpj', 'out/a.b[31mgpj.jpg'],
])('the template %s', (template, path) => {
  const fields = { source: 'a.b.heic', target: 'jpg', index: 3, extension: 'jpg' }
  expect(resultPath('out', template, fields)).toBe(path)
})

test('the longest name that a disk takes stays within it', async () => {
  const folder = await temporary()
  const fields = { source: `${'x'.repeat(251)}.png`, target: 'webp', index: 1, extension: 'webp' }
  const path = resultPath(folder, '{name}', fields)
  expect(basename(path)).toHaveLength(255)
  expect(await writeResult(bytes('1'), path, 'number')).toBe(path)
  expect(await writeResult(bytes('2'), path, 'number')).toMatch(/x \(2\)\.webp$/)
})

test('a folder is made with those above it, or the reason is given it cannot be', async () => {
  const folder = await temporary()
  const path = join(folder, 'a', 'b', 'c.jpg')
  expect(await writeResult(bytes('fine'), path, 'number')).toBe(path)
  const refused = (where: string) =>
    writeResult(bytes('fine'), join(where, 'c.jpg'), 'number').then(() => 'written', messageOf)
  expect(await refused(join(path, 'below'))).toBe(
    `${path}: a file has this name, so that no folder can have it.`,
  )
  // Where Linux says that a folder is missing whose parent is there.
  const wanted = process.platform === 'linux' ? '/proc/nope: there is no such file or folder' : 'written'
  expect(await refused(process.platform === 'linux' ? '/proc/nope' : folder)).toContain(wanted)
})

test('a full disk is called so, whether or not its error says for which file', () => {
  const full = (path?: string) => Object.assign(new Error('no space'), { code: 'ENOSPC', path })
  expect(messageOf(full('a.jpg'))).toBe('a.jpg: the disk is full. Free some space and run this again.')
  expect(messageOf(full('out/.refile-1.part'))).toBe(
    'out: the disk is full. Free some space and run this again.',
  )
  expect(messageOf(full())).toBe('The disk is full. Free some space and run this again.')
})

test('results of the same name are numbered, whoever comes first', async () => {
  const folder = await temporary()
  const path = join(folder, 'a.jpg')
  const written = await Promise.all(['1', '2', '3'].map(text => writeResult(bytes(text), path, 'number')))
  expect(new Set(written)).toEqual(new Set([path, join(folder, 'a (2).jpg'), join(folder, 'a (3).jpg')]))
  expect((await Promise.all(written.map(name => readFile(name, 'utf8')))).toSorted()).toEqual(['1', '2', '3'])
})

test('a download that breaks leaves nothing', async () => {
  const folder = await temporary()
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new Uint8Array(10))
      controller.error(new Error('the cable'))
    },
  })
  await expect(writeResult(broken, join(folder, 'a.jpg'), 'number')).rejects.toThrow('the cable')
  expect(await readdir(folder)).toEqual([])
})

test('a name may be as long as the disk allows, and a folder of that name leaves nothing else', async () => {
  const folder = await temporary()
  const path = join(folder, `${'n'.repeat(251)}.jpg`)
  expect(await writeResult(bytes('1'), path, 'number')).toBe(path)
  await rm(path)
  await mkdir(path)
  await expect(writeResult(bytes('2'), path, 'replace')).rejects.toThrow('EISDIR')
  expect(await readdir(folder)).toHaveLength(1)
})

test('options are nested by dots, and JSON where they can be', () => {
  expect(
    readOptions(['quality=80', 'resize.preset=1080p', 'resize.enabled=true', 'background=#fff']),
  ).toEqual({
    quality: 80,
    resize: { preset: '1080p', enabled: true },
    background: '#fff',
  })
  expect(() => readOptions(['=1'])).toThrow('NAME=VALUE')
  expect(() => readOptions(['a=1', 'a.b=2'])).toThrow('twice')
  expect(readOptions(['__proto__.polluted=1'])).toEqual({})
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
})

test('settings: flags, then the environment, then the nearest file', async () => {
  const folder = await temporary()
  writeFileSync(join(folder, 'refile.config.json'), '{"out":"results","jobs":2,"preset":"web"}')
  expect(
    readSettings({ jobs: 4 }, join(folder, 'below', 'it'), { REFILE_URL: 'http://environment' }),
  ).toEqual({
    out: join('..', '..', 'results'),
    jobs: 4,
    preset: 'web',
    url: 'http://environment',
  })
  writeFileSync(join(folder, 'refile.config.json'), '{"output":"results"}')
  expect(() => readSettings({}, folder, {})).toThrow('unknown setting "output"')
  writeFileSync(join(folder, 'refile.config.json'), '{"jobs":"two"}')
  expect(() => readSettings({}, folder, {})).toThrow('not a number')
  // With less than one file at once, nothing would be converted.
  for (const jobs of [0, -3, 0.5]) {
    writeFileSync(join(folder, 'refile.config.json'), JSON.stringify({ jobs }))
    expect(() => readSettings({}, folder, {})).toThrow('1 or more')
  }
  for (const url of ['nonsense', 'ftp://x', 'http://'])
    expect(() => readSettings({ url }, tmpdir(), {})).toThrow(UsageError)
  writeFileSync(join(folder, 'refile.config.json'), 'out: x')
  expect(() => readSettings({}, folder, {})).toThrow('not valid JSON')
})

test('the file of a folder does not say where files and keys go, and what it says is named once', async () => {
  const folder = await temporary()
  const home = await temporary()
  symlinkSync(home, join(folder, 'link'))
  const notes: string[] = []
  const read = (file: object, environment = {}) => {
    writeFileSync(join(folder, 'refile.config.json'), JSON.stringify(file))
    return readSettings({}, folder, { REFILE_HOME: home, ...environment }, text => notes.push(text))
  }
  expect(read({ url: 'http://evil', key: 'k', home: '/evil', jobs: 3 })).toEqual({ home, jobs: 3 })
  expect(notes).toEqual([expect.stringContaining('refile.config.json: url, key, home ignored.')])
  for (const out of ['../elsewhere', '/elsewhere', 'below/../..', 'link', 'link/below'])
    expect(read({ out }), out).toEqual({ home })
  expect(notes).toHaveLength(6)
  expect(read({ out: 'below/new' })).toEqual({ home, out: join('below', 'new') })
  const own = { url: 'http://mine', key: 'mine', out: '/anywhere', name: '{name}-x', jobs: 2 }
  writeFileSync(join(home, 'refile.config.json'), JSON.stringify(own))
  expect(read({ jobs: 4 })).toEqual({ ...own, home, jobs: 4 })
  expect(read({}, { REFILE_URL: 'http://other' }), 'a key of another address').toEqual({
    ...{ home, url: 'http://other', out: own.out, name: own.name, jobs: 2 },
  })
  expect(notes).toHaveLength(7)
})

test('a key goes with the address of its own source alone', async () => {
  const folder = await temporary()
  const REFILE_HOME = folder
  expect(() => readSettings({ key: 'k' }, folder, {})).toThrow('--key is for a service at --url')
  expect(() => readSettings({ key: 'k' }, folder, { REFILE_URL: 'http://x' })).toThrow('give both')
  const notes: string[] = []
  const given = { url: 'http://x' }
  const environment = { REFILE_HOME, REFILE_API_KEY: 'k' }
  expect(readSettings(given, folder, environment, text => notes.push(text)).key).toBeUndefined()
  expect(notes).toEqual([expect.stringContaining('The key is not used')])
  // It may stay in the environment, for the times when REFILE_URL is there, too.
  expect(readSettings({}, folder, environment)).toEqual({ home: folder })
  expect(readSettings({}, folder, { ...environment, REFILE_URL: 'http://x' }).key).toBe('k')
})

test('a result keeps its planned extension unless the new one is known', async () => {
  const folder = await temporary()
  const save = (fileName: string, fileCount = 1) =>
    saveResult(
      { fileName, fileCount, stream: async () => bytes('1') } as Result,
      join(folder, 'a.jpg'),
      'number',
      extension => ['zip', 'png', 'tar.gz'].includes(extension),
    ).then(path => basename(path))
  const names = ['x.jpg', 'x.png', 'x.tar.gz', 'x.desktop', 'x.png\u202e', 'x']
  expect(await Promise.all(names.map(name => save(name)))).toEqual([
    ...[expect.stringMatching(/^a( \(\d\))?\.jpg$/), 'a.png', 'a.tar.gz'],
    ...[1, 2, 3].map(() => expect.stringMatching(/^a( \(\d\))?\.jpg$/)),
  ])
  expect(await save('x.exe', 2)).toBe('a.zip')
})

test('a terminal gets no control or reordering characters, and a pipe gets names as they are', () => {
  const written: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation(text => written.push(String(text)) > 0)
  vi.spyOn(process.stderr, 'write').mockImplementation(text => written.push(String(text)) > 0)
  onTestFinished(() => void vi.restoreAllMocks())
  const wasTerminal = process.stdout.isTTY
  const name = 'a\u001b]0;x\u0007\u202egpj.exe'
  const report = new Report({ json: false, quiet: false })
  for (const isTerminal of [true, false]) {
    process.stdout.isTTY = isTerminal
    report.result('a', [name], {})
  }
  process.stdout.isTTY = wasTerminal
  report.failure(name, name, {})
  const escaped = 'a\\u001b]0;x\\u0007\\u202egpj.exe'
  expect(written).toEqual([`${escaped}\n`, `${name}\n`, `${escaped}: ${escaped}\n`])
})

test.each([
  ['convert.unsupported_format_pair', 3],
  ['schema.unsupported_source_format', 3],
  ['api_key.invalid_or_ip_not_allowed', 4],
  ['entitlements.insufficient_credits', 4],
  ['jobs.engine_missing', 5],
  ['transcription.model_not_installed', 5],
  ['convert.invalid_options', 2],
  ['jobs.corrupt_input', 1],
  ['server.internal_error', 1],
])('%s exits with %i', (code, exit) => {
  expect(exitCodeOf(new RefileError(400, { error: code, detail: '' }))).toBe(exit)
  expect(exitCodeOf(new JobError('id', { code, detail: '' }))).toBe(exit)
})
