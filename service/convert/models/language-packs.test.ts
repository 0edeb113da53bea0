import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { testFiles } from '../../../testing/files.ts'
import { packBengali } from '../../../testing/fonts.ts'
import { createOutbound } from '../../shared/net/outbound.ts'
import { languagePacks } from './language-packs.ts'
import type { Model } from './model.ts'
import { Models } from './models.ts'
import { ocrLanguages } from './ocr-languages.ts'
import { scriptFonts } from './script-fonts.ts'

const files = testFiles('language-packs')

afterEach(() => void vi.unstubAllEnvs())
const english = createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')

/** The package of English as a registry sends it, packed by another program and under the name of another language. */
function packAs(id: string): Buffer {
  const path = files.path(`${id}.tgz`)
  execFileSync('tar', [
    ...['-I', 'gzip -1', '-cf', path, '-C', dirname(english), `--transform=s,eng,${id},;s,^,package/,`],
    ...['4.0.0_best_int', '4.0.0', 'index.js', 'package.json', 'README.md'],
  ])
  return readFileSync(path)
}

async function setUp(served: Buffer, expected: Buffer, id = 'deu') {
  const pack = languagePacks.find(each => each.id === id) as Model
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
  const model: Model = { ...pack, mostBytes: 2 ** 24, checksum: { algorithm: 'sha512', hex } }
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

test('the data of a language are extracted from its package, and deleted on request', async () => {
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

test('a package with the wrong checksum, or without the language, leaves nothing behind', async () => {
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
