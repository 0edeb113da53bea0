import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { testFiles } from '../../../testing/files.ts'
import { tool } from '../../../testing/fixtures/media.ts'
import { packBengali, packLanguage } from '../../../testing/fonts.ts'
import { json, type TestService, testService } from '../../../testing/service.ts'
import { ocrLanguages } from '../../convert/models/ocr-languages.ts'
import { scriptFonts } from '../../convert/models/script-fonts.ts'
import { signIn } from '../../host/owner.ts'
import type { Outbound } from '../../shared/net/outbound.ts'
import type { DownloadList, SpeechModel } from './types.ts'

const files = testFiles('models')

async function openApp(service: TestService) {
  const session = await signIn(await service.openUrl())
  const call = (path: string, method = 'GET', body?: FormData) =>
    fetch(`${service.url}${path}`, {
      method,
      body: body ?? null,
      headers: { ...session, origin: service.url },
    })
  const model = async (id: string) =>
    (await json<DownloadList<SpeechModel>>(call('/app/models'))).items.find(
      item => item.id === id,
    ) as SpeechModel
  return { call, model, session }
}

/** Sends 1000 bytes and then stalls until it is stopped. */
const stalling: Outbound = async (url, { signal }) => ({
  ...{ status: 200, headers: new Headers({ 'content-length': '5000' }), url },
  body: (async function* () {
    yield new Uint8Array(1000)
    await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  })(),
  [Symbol.asyncDispose]: async () => {},
})

/** Answers everything with these bytes. */
const serving =
  (packed: Uint8Array<ArrayBuffer>, asked: string[] = []): Outbound =>
  async url => {
    asked.push(url)
    return {
      ...{ status: 200, headers: new Headers(), url },
      body: (async function* () {
        yield packed
      })(),
      [Symbol.asyncDispose]: async () => {},
    }
  }

test('nothing is downloaded without a request; a download can be followed, stopped and deleted', async () => {
  const service = await testService({ outbound: stalling })
  const app = await openApp(service)
  const { offline, items } = await json<DownloadList<SpeechModel>>(app.call('/app/models'))
  expect(offline).toBe(false)
  expect(items.map(({ state }) => state)).toEqual(items.map(() => 'absent'))
  expect(items.find(({ id }) => id === 'base')).toEqual({
    ...{ id: 'base', name: 'Whisper base', licence: 'MIT', bytes: 142 * 2 ** 20, englishOnly: false },
    ...{ recommended: ['fast'], state: 'absent', received: 0, problem: null, removable: false },
  })

  const events = await fetch(`${service.url}/app/events`, { headers: app.session })
  const started = await app.call('/app/models/base/download', 'POST')
  expect(started.status).toBe(202)
  expect(await json<SpeechModel>(started)).toMatchObject({ id: 'base', state: 'downloading' })
  await expect.poll(() => app.model('base')).toMatchObject({ received: 1000, bytes: 5000 })
  let heard = ''
  for await (const piece of events.body!) {
    heard += Buffer.from(piece).toString()
    if (/event: model\ndata: .*"state":"downloading"/.test(heard)) break
  }
  expect((await app.call('/app/models/base/cancel', 'POST')).status).toBe(204)
  expect(await app.model('base')).toMatchObject({ state: 'absent', received: 1000, removable: true })
  expect(await readdir(join(service.home, 'models'))).toEqual(['ggml-base.bin.part'])
  expect((await app.call('/app/models/base', 'DELETE')).status).toBe(204)
  expect(await readdir(join(service.home, 'models'))).toEqual([])
})

test('offline, the reason is reported', async () => {
  const app = await openApp(await testService({ offline: true }))
  expect((await json<DownloadList<SpeechModel>>(app.call('/app/models'))).offline).toBe(true)
  await app.call('/app/models/tiny/download', 'POST')
  await expect.poll(async () => (await app.model('tiny')).problem).toContain('REFILE_OFFLINE')
})

testFull(
  'a font that a document turns out to need is fetched once, and the document converted with it',
  async () => {
    const { packed } = packBengali(files.path('bengali.tgz'))
    const pack = scriptFonts.find(({ script }) => script === 'Bengali')!
    const { checksum } = pack
    onTestFinished(() => void Object.assign(pack, { checksum }))
    const hex = createHash('sha512').update(packed).digest('hex')
    Object.assign(pack, { checksum: { ...checksum, hex }, mostBytes: packed.length })
    const asked: string[] = []
    const outbound = serving(packed, asked)
    const convert = async (service: TestService, file: string) => {
      const { id } = await json<{ id: string }>(service.submit(file, 'Bengali: বাংলা স্ত্রী', 'pdf'))
      const { warnings = [] } = await service.finished(id)
      const pdf = Buffer.from(await (await service.call(`/convert/job/${id}/download`)).arrayBuffer())
      return { warnings, fonts: tool('pdffonts', files.write(pdf, 'pdf')) }
    }
    const asks = await testService({ outbound, fetchPacks: false })
    expect((await convert(asks, 'a.md')).warnings).toEqual([expect.stringContaining('properly: Bengali.')])
    const offline = await testService({ offline: true })
    const { warnings } = await convert(offline, 'a.md')
    expect(warnings).toEqual([expect.stringContaining('REFILE_OFFLINE'), expect.stringContaining('Bengali')])
    expect(asked).toEqual([])
    const service = await testService({ outbound })
    for (const name of ['a.md', 'b.md']) {
      const { warnings, fonts } = await convert(service, name)
      expect(warnings).toEqual([])
      expect(fonts).toContain('NotoSansBengali')
    }
    expect(asked).toEqual([pack.address])
  },
)

testFull(
  'a language that a picture is to be read in is fetched, and offline nothing is charged for the lack of it',
  async () => {
    const packed = packLanguage(files.path('dan.tgz'), 'dan')
    const pack = ocrLanguages.find(({ id }) => id === 'dan')!
    const { checksum } = pack
    onTestFinished(() => void Object.assign(pack, { checksum }))
    const hex = createHash('sha512').update(packed).digest('hex')
    Object.assign(pack, { checksum: { ...checksum, hex }, mostBytes: packed.length })
    const picture = files.path('words.png')
    const font = join(import.meta.dirname, '../../../resources/fonts/Arimo-Regular.ttf')
    tool('convert', '-font', font, '-pointsize', '48', 'label:Hello reader', picture)
    const read = async (service: TestService) => {
      const fields = { options: JSON.stringify({ ocr: { languages: 'dan' } }) }
      const { id } = await json<{ id: string }>(
        service.submit('a.png', new Uint8Array(readFileSync(picture)), 'txt', fields),
      )
      return [await service.finished(id), id] as const
    }
    const offline = await testService({ offline: true })
    const before = await offline.balance()
    const [failed] = await read(offline)
    expect(failed).toMatchObject({
      error: { code: 'jobs.engine_missing', detail: expect.stringContaining('"dan"') },
      warnings: [expect.stringContaining('REFILE_OFFLINE')],
    })
    expect(await offline.balance()).toBe(before)
    const service = await testService({ outbound: serving(packed) })
    const [done, id] = await read(service)
    expect(done).toMatchObject({ status: 'Succeeded' })
    expect(await (await service.call(`/convert/job/${id}/download`)).text()).toContain('Hello reader')
  },
)

test('models in the download folder can be deleted, those of REFILE_MODELS cannot', async () => {
  const service = await testService()
  const own = join(service.home, 'models')
  await writeFile(join(own, 'ggml-tiny.bin'), 'x')
  const other = await testService({ models: own })
  expect(await (await openApp(other)).model('tiny')).toMatchObject({ state: 'installed', removable: false })
  expect((await (await openApp(other)).call('/app/models/tiny', 'DELETE')).status).toBe(400)
  expect(await readdir(own)).toEqual(['ggml-tiny.bin'])
  const app = await openApp(service)
  expect(await app.model('tiny')).toMatchObject({ state: 'installed', bytes: 1, removable: true })
  expect((await app.call('/app/models/tiny', 'DELETE')).status).toBe(204)
  expect(await readdir(own)).toEqual([])
})

test('a file that is not a model is refused, and not kept', async () => {
  const service = await testService()
  const app = await openApp(service)
  const form = new FormData()
  form.set('file', new Blob(['no model']), 'ggml-base.bin')
  const answer = await app.call('/app/models', 'POST', form)
  expect(answer.status).toBe(400)
  expect((await json(answer)).detail).toContain('not one of the models listed')
  expect(await service.filesLeft()).toEqual([])
  expect(await app.model('base')).toMatchObject({ state: 'absent' })
  expect((await app.call('/app/models', 'POST', new FormData())).status).toBe(400)
})

test('an unknown model is not found, and strangers see nothing', async () => {
  const service = await testService()
  const app = await openApp(service)
  for (const [path, method] of [
    ['huge/download', 'POST'],
    ['huge/cancel', 'POST'],
    ['huge', 'DELETE'],
  ]) {
    expect((await app.call(`/app/models/${path}`, method)).status).toBe(404)
  }
  expect((await service.call('/app/models')).status).toBe(401)
  expect((await fetch(`${service.url}/app/models/tiny/download`, { method: 'POST' })).status).toBe(401)
})
