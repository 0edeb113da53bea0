import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { PDFDict, PDFDocument } from '@cantoo/pdf-lib'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { testFiles } from '../../../testing/files.ts'
import { packBengali, packLanguage } from '../../../testing/fonts.ts'
import { libreOfficeFolder } from '../../shared/model-folders.ts'
import { createOutbound } from '../../shared/net/outbound.ts'
import type { Model } from './model.ts'
import { Models } from './models.ts'
import { ocrLanguages } from './ocr-languages.ts'
import { packs } from './packs.ts'
import { scriptFonts } from './script-fonts.ts'

const files = testFiles('packs')

afterEach(() => void vi.unstubAllEnvs())
const english = createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')

const libreOffice = packs.find(({ id }) => id === 'libreoffice')!
const packAs = (id: string) => packLanguage(files.path(`${id}.tgz`), id)

async function setUp(served: Buffer, expected: Buffer, id = 'deu') {
  const pack = packs.find(each => each.id === id) as Model
  const server = createServer((_, reply) => void reply.end(served))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const asked: string[] = []
  const outbound = createOutbound({
    offline: false,
    transport: (url, init) => {
      asked.push(url.href)
      return fetch(`http://127.0.0.1:${port}${url.pathname}`, init)
    },
  })
  const hex = createHash('sha512').update(expected).digest('hex')
  const model: Model = { ...pack, mostBytes: 2 ** 25, checksum: { algorithm: 'sha512', hex } }
  const folder = files.path(`models-${port}`)
  const models = new Models({ folder, others: [], outbound, list: [model] })
  onTestFinished(async () => {
    await models.close()
    server.closeAllConnections()
    server.close()
  })
  const settled = async () => {
    await expect.poll(async () => (await models.get(id))?.state).not.toBe('downloading')
    return models.get(id)
  }
  return { models, folder, asked, settled }
}

testFull('the data of a language are extracted from its package, and deleted on request', async () => {
  const packed = packAs('deu')
  const { models, folder, asked, settled } = await setUp(packed, packed)
  await models.start('deu')
  const data = gunzipSync(await readFile(join(dirname(english), '4.0.0_best_int/eng.traineddata.gz')))
  expect(await settled()).toMatchObject({ state: 'installed', received: data.length, own: true })
  expect(asked).toEqual(['https://registry.npmjs.org/@tesseract.js-data/deu/-/deu-1.0.0.tgz'])
  expect(await readdir(join(folder, 'tessdata'))).toEqual(['deu.traineddata'])
  expect((await readFile(join(folder, 'tessdata/deu.traineddata'))).equals(data)).toBe(true)
  await models.remove('deu')
  expect(await readdir(join(folder, 'tessdata'))).toEqual([])
  expect(await models.add(files.path('deu.tgz'))).toMatchObject({ state: 'installed' })
  expect((await stat(files.path('deu.tgz'))).size).toBe(packed.length)
})

testFull('a package with the wrong checksum, or without the language, leaves nothing behind', async () => {
  const french = packAs('fra')
  const changed = await setUp(french, Buffer.from('the package of German'))
  await changed.models.start('deu')
  expect((await changed.settled())?.problem).toMatchObject({ key: 'models.checksum_mismatch' })
  const other = await setUp(french, french)
  await other.models.start('deu')
  expect((await other.settled())?.problem).toMatchObject({ key: 'models.not_saved' })
  for (const { folder } of [changed, other]) {
    expect((await readdir(join(folder, 'tessdata'))).filter(name => !name.endsWith('.part'))).toEqual([])
  }
})

test('the font of a script is taken from its package, and documents are shown with it', async () => {
  const { packed, font } = packBengali(files.path('bengali.tgz'))
  const { models, folder, asked, settled } = await setUp(packed, packed, 'noto-sans-bengali')
  await models.start('noto-sans-bengali')
  expect(await settled()).toMatchObject({ state: 'installed', own: true })
  expect(asked).toEqual([
    'https://registry.npmjs.org/@expo-google-fonts/noto-sans-bengali/-/noto-sans-bengali-0.4.4.tgz',
  ])
  const kept = join(folder, 'fonts/noto-sans-bengali.ttf')
  expect(readFileSync(kept).equals(readFileSync(font))).toBe(true)
  vi.stubEnv('REFILE_MODELS', folder)
  vi.resetModules()
  const { coverageOf } = await import('../engines/documents/typst/fonts.ts')
  const { missing, files: used } = await coverageOf('বাংলা')
  expect([...missing]).toEqual([])
  expect(used).toContain(kept)
})

test('every font has the name of its family, a licence and its own checksum', () => {
  expect(new Set(scriptFonts.map(({ checksum }) => checksum.hex)).size).toBe(scriptFonts.length)
  for (const { checksum, id, name } of scriptFonts) {
    expect(checksum.hex).toMatch(/^[0-9a-f]{128}$/)
    expect(name.toLowerCase().replaceAll(' ', '-')).toBe(id)
  }
})

test('every language has a tag with a known name, a size and its own checksum', () => {
  expect(new Set(ocrLanguages.map(({ checksum }) => checksum.hex)).size).toBe(ocrLanguages.length)
  for (const { checksum, name, tag, bytes } of ocrLanguages) {
    expect(checksum.hex).toMatch(/^[0-9a-f]{128}$/)
    expect(name).not.toBe(tag)
    expect(bytes).toBeGreaterThan(2 ** 20)
  }
})

const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package-lock.json'), 'utf8'))

test('LibreOffice is what the lockfile has, by version and checksum', () => {
  const { version, integrity } = lock.packages['node_modules/@matbee/libreoffice-converter']
  expect(libreOffice.address).toContain(`-${version}.tgz`)
  expect(libreOffice.file).toContain(version)
  expect(`sha512-${Buffer.from(libreOffice.checksum.hex, 'hex').toString('base64')}`).toBe(integrity)
})

testFull(
  'the program of LibreOffice is kept as a folder, which replaces that of an older Refile',
  async () => {
    const folder = files.path('office')
    const content = {
      'soffice.cjs': 1000,
      'soffice.worker.cjs': 512,
      'soffice.data': 3_000_001,
      'soffice.wasm': 70_000,
    }
    mkdirSync(join(folder, 'wasm'), { recursive: true })
    for (const [name, bytes] of [...Object.entries(content), ['soffice.js', 99] as const])
      writeFileSync(join(folder, 'wasm', name), randomBytes(bytes))
    const path = files.path('office.tgz')
    execFileSync('tar', ['-I', 'gzip -1', '-cf', path, '-C', folder, '--transform=s,^,package/,', 'wasm'])
    const packed = readFileSync(path)
    const { models, folder: kept, settled } = await setUp(packed, packed, 'libreoffice')
    mkdirSync(join(kept, 'libreoffice-1.0.0'), { recursive: true })
    const program = join(kept, libreOffice.file)
    const isWhole = () => {
      expect(readdirSync(program).toSorted()).toEqual(Object.keys(content).toSorted())
      for (const name of Object.keys(content))
        expect(readFileSync(join(program, name)).equals(readFileSync(join(folder, 'wasm', name))), name).toBe(
          true,
        )
    }
    await models.start('libreoffice')
    expect(await settled()).toMatchObject({ state: 'installed', received: 79_515_284, own: true })
    expect(await readdir(kept)).toEqual([libreOffice.file])
    isWhole()
    vi.stubEnv('REFILE_MODELS', kept)
    // What ships is preferred.
    expect(libreOfficeFolder()).not.toBe(program)
    // Once more, from a file.
    rmSync(join(program, 'soffice.wasm'))
    expect(await models.add(path)).toMatchObject({ state: 'installed' })
    isWhole()
    await models.remove('libreoffice')
    expect(await readdir(kept)).toEqual([])
  },
)

test('without LibreOffice, a document names the pack, and the engine works if that may be fetched', async () => {
  vi.resetModules()
  vi.doMock('../../shared/model-folders.ts', () => ({ libreOfficeFolder: () => undefined }))
  onTestFinished(() => vi.doUnmock('../../shared/model-folders.ts'))
  const { convertDocument } = await import('../engines/documents/office/engine.ts')
  const { report, packagedFile } = await import('../engines/documents/office/version.ts')
  const request = { document: Buffer.from('{\\rtf1 a}'), suffix: 'rtf', target: 'pdf', filter: '' }
  await expect(convertDocument(request, [])).rejects.toMatchObject({
    code: 'jobs.engine_missing',
    reason: { key: 'office.not_here' },
  })
  expect(await packagedFile('registry/main.xcd')).toBeUndefined()
  const hint = { key: 'office.not_here' }
  expect(await report()).toMatchObject({ version: null, available: false, hint })
  vi.stubEnv('REFILE_FETCH_PACKS', '1')
  expect(await report()).toMatchObject({ version: null, available: true, hint })
})

testFull(
  'a package without the font for Chinese says so, and uses it in both weights once it is here',
  async () => {
    const { resolve } = createRequire(import.meta.url)
    const face = resolve('@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf')
    const path = files.path('chinese.tgz')
    const weights = ['400Regular', '700Bold']
    execFileSync('tar', [
      ...['-I', 'gzip -1', '-cf', path, '-C', join(face, '../..')],
      ...['--transform=s,^,package/,', ...weights],
    ])
    const packed = readFileSync(path)
    const { models, folder, settled } = await setUp(packed, packed, 'noto-sans-sc')
    vi.resetModules()
    const shipped = await vi.importActual<object>('../engines/fonts/fontkit/shipped.ts')
    const shippedFonts = { cjk: () => [], hangul: () => [], emoji: () => [] }
    vi.doMock('../engines/fonts/fontkit/shipped.ts', () => ({ ...shipped, shippedFonts }))
    // A system without fonts of its own.
    const { platform } = process
    Object.defineProperty(process, 'platform', { value: 'win32' })
    vi.stubEnv('SystemRoot', files.path('windows'))
    vi.stubEnv('REFILE_MODELS', folder)
    onTestFinished(() => {
      Object.defineProperty(process, 'platform', { value: platform })
      vi.doUnmock('../engines/fonts/fontkit/shipped.ts')
    })
    const { coverageOf } = await import('../engines/documents/typst/fonts.ts')
    const { chooseFonts } = await import('../engines/documents/office/fonts.ts')
    const { FieldFonts } = await import('../engines/pdf/prepare/field-fonts.ts')
    const needs = { families: new Set<string>(), scripts: new Set(['cjk'] as const) }
    const [lacking, text] = [['Chinese and Japanese'], '漢字とかな']
    const fitting = async () => {
      const document = await PDFDocument.create()
      const fonts = new FieldFonts(document, PDFDict.withContext(document.context))
      return [(await fonts.fitting(text, '')).text, ...fonts.lacking]
    }
    expect(await coverageOf(text)).toMatchObject({ lacking })
    expect(await chooseFonts(needs)).toMatchObject({ files: [], lacking })
    expect(await fitting()).toEqual(['', ...lacking])
    await models.start('noto-sans-sc')
    expect(await settled()).toMatchObject({ state: 'installed', own: true })
    const found = weights.map(weight => join(folder, 'fonts/noto-sans-sc', `NotoSansSC_${weight}.ttf`))
    expect((await readFile(found[0]!)).equals(readFileSync(face))).toBe(true)
    const chosen = await chooseFonts(needs)
    expect([chosen.lacking, chosen.files.toSorted()]).toEqual([[], found])
    const coverage = await coverageOf(text)
    expect(coverage).toMatchObject({ lacking: [], missing: new Set() })
    expect(coverage.files).toEqual(expect.arrayContaining(found))
    expect(await fitting()).toEqual([text])
  },
)
