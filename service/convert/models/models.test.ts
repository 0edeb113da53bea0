import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { message } from '../../shared/messages/message.ts'
import { createOutbound } from '../../shared/net/outbound.ts'
import { chooseModel, type SpeechModel, speechModels, type TranscriptionMode } from './list.ts'
import { installedModels } from './model.ts'
import { type ModelState, Models } from './models.ts'

const content = randomBytes(600_000)
const tiny: SpeechModel = {
  ...(speechModels[0] as SpeechModel),
  mostBytes: 2 ** 20,
  checksum: { algorithm: 'sha1', hex: createHash('sha1').update(content).digest('hex') },
}

type Answer = (request: IncomingMessage, reply: ServerResponse) => void

/** Sends the whole file or the requested range. */
const faithful: Answer = (request, reply) => {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
  if (from >= content.length) return void reply.writeHead(416).end()
  const headers = { 'content-length': content.length - from }
  if (from === 0) reply.writeHead(200, headers)
  else {
    reply.writeHead(206, {
      ...headers,
      'content-range': `bytes ${from}-${content.length - 1}/${content.length}`,
    })
  }
  reply.end(content.subarray(from))
}

/** Sends the first `bytes` bytes and then stalls. */
const stalling =
  (bytes: number): Answer =>
  (_, reply) => {
    reply.writeHead(200, { 'content-length': content.length })
    reply.write(content.subarray(0, bytes))
  }

async function setUp(first: Answer, settings: { offline?: boolean; others?: string[] } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'refile-models-'))
  let answer = first
  const ranges: (string | undefined)[] = []
  const addresses: string[] = []
  const server = createServer((request, reply) => {
    ranges.push(request.headers.range)
    answer(request, reply)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const outbound = createOutbound({
    offline: settings.offline ?? false,
    transport: (url, init) => {
      addresses.push(url.href)
      return fetch(`http://127.0.0.1:${port}${url.pathname}`, init)
    },
  })
  const models = new Models({ folder, others: settings.others ?? [], outbound, list: [tiny] })
  const events: ModelState<SpeechModel>[] = []
  models.on('model', state => events.push(state))
  onTestFinished(async () => {
    await models.close()
    server.closeAllConnections()
    server.close()
    await rm(folder, { recursive: true, force: true })
  })
  const state = async () => (await models.get('tiny')) as ModelState<SpeechModel>
  const settled = async () => {
    await expect.poll(async () => (await state()).state).not.toBe('downloading')
    return state()
  }
  return {
    ...{ folder, models, events, ranges, addresses, state, settled },
    part: join(folder, 'ggml-tiny.bin.part'),
    file: join(folder, 'ggml-tiny.bin'),
    become: (next: Answer) => {
      answer = next
    },
  }
}

test('a model is downloaded on request, verified, and reported', async () => {
  const { models, events, addresses, settled, state, file, folder } = await setUp(faithful)
  expect(await state()).toMatchObject({ state: 'absent', received: 0, problem: null })
  await models.start('tiny')
  expect(await settled()).toMatchObject({ state: 'installed', received: content.length, own: true })
  expect(addresses).toEqual(['https://huggingface.co/ggerganov/whisper.cpp/resolve/main/ggml-tiny.bin'])
  expect((await readFile(file)).equals(content)).toBe(true)
  expect(await readdir(folder)).toEqual(['ggml-tiny.bin'])
  await expect.poll(() => events.at(-1)?.state).toBe('installed')
  expect(events[0]).toMatchObject({ state: 'downloading', total: content.length })
})

test('a stopped download resumes where it ended', async () => {
  const { models, ranges, part, file, settled, state, become } = await setUp(stalling(200_000))
  await models.start('tiny')
  await expect.poll(async () => (await state()).received).toBe(200_000)
  await models.cancel('tiny')
  expect(await state()).toMatchObject({ state: 'absent', received: 200_000, problem: null, own: true })
  expect((await readFile(part)).equals(content.subarray(0, 200_000))).toBe(true)

  become(faithful)
  await models.start('tiny')
  expect(await settled()).toMatchObject({ state: 'installed', problem: null })
  expect(ranges).toEqual([undefined, 'bytes=200000-'])
  expect((await readFile(file)).equals(content)).toBe(true)
})

test('a download that the disk could not keep is not resumed, since parts of it may be gone', async () => {
  const { models, part, settled } = await setUp(faithful)
  await using any = await open(import.meta.filename)
  const syncing = vi.spyOn(Object.getPrototypeOf(any), 'sync')
  onTestFinished(() => syncing.mockRestore())
  syncing.mockRejectedValueOnce(Object.assign(new Error('EIO'), { code: 'EIO' }))
  await models.start('tiny')
  expect(await settled()).toMatchObject({ state: 'absent', received: 0 })
  await expect(readFile(part)).rejects.toThrow('ENOENT')
})

test('a model is installed once its download has ended', async () => {
  const { models, file, state } = await setUp(stalling(1000))
  await models.start('tiny')
  await writeFile(file, content)
  expect(await state()).toMatchObject({ state: 'downloading' })
  await models.cancel('tiny')
  expect(await state()).toMatchObject({ state: 'installed', received: content.length })
})

test('a broken connection keeps what has arrived', async () => {
  let broken: ServerResponse | undefined
  const { models, settled, state, become, ranges } = await setUp((request, reply) => {
    stalling(100_000)(request, reply)
    broken = reply
  })
  await models.start('tiny')
  await expect.poll(async () => (await state()).received).toBe(100_000)
  broken?.destroy()
  expect(await settled()).toMatchObject({
    state: 'absent',
    received: 100_000,
    problem: { key: 'network.unreachable' },
  })
  become(faithful)
  await models.start('tiny')
  expect(await settled()).toMatchObject({ state: 'installed', problem: null })
  expect(ranges[1]).toBe('bytes=100000-')
})

test('a server without range support sends the file from the start', async () => {
  const { models, folder, part, file, settled } = await setUp((_, reply) => void reply.end(content))
  await mkdir(folder, { recursive: true })
  await writeFile(part, randomBytes(1000))
  await models.start('tiny')
  expect(await settled()).toMatchObject({ state: 'installed' })
  expect((await readFile(file)).equals(content)).toBe(true)
})

test('a partial file that is already complete is verified and installed', async () => {
  const { models, part, settled } = await setUp(faithful)
  await writeFile(part, content)
  await models.start('tiny')
  expect(await settled()).toMatchObject({ state: 'installed' })
})

test('a file with the wrong checksum is deleted', async () => {
  const { models, folder, settled } = await setUp((_, reply) => void reply.end(randomBytes(content.length)))
  await models.start('tiny')
  expect(await settled()).toMatchObject({
    state: 'absent',
    received: 0,
    problem: { key: 'models.checksum_mismatch' },
  })
  expect(await readdir(folder)).toEqual([])
})

test('a download larger than the model is refused', async () => {
  const { models, settled } = await setUp((_, reply) => void reply.end(Buffer.alloc(tiny.mostBytes + 1)))
  await models.start('tiny')
  expect(await settled()).toMatchObject({
    state: 'absent',
    problem: { key: 'network.too_large' },
  })
})

test.each([404, 500])('an answer of %i is a failure', async status => {
  const { models, settled } = await setUp((_, reply) => void reply.writeHead(status).end())
  await models.start('tiny')
  expect((await settled()).problem).toEqual(message('models.server_error', { status }))
})

test('offline, nothing is downloaded and the reason is reported', async () => {
  const { models, addresses, settled } = await setUp(faithful, { offline: true })
  await models.start('tiny')
  expect((await settled()).problem).toEqual(message('network.offline'))
  expect(addresses).toEqual([])
})

test('starting twice downloads once', async () => {
  const { models, ranges, settled } = await setUp(faithful)
  await Promise.all([models.start('tiny'), models.start('tiny')])
  await settled()
  expect(ranges).toHaveLength(1)
})

test('deleting works for a model and for a partial download', async () => {
  const { models, folder, state, become } = await setUp(stalling(1000))
  await models.start('tiny')
  await expect.poll(async () => (await state()).received).toBe(1000)
  await models.remove('tiny')
  expect(await readdir(folder)).toEqual([])
  become(faithful)
  await models.start('tiny')
  await expect.poll(async () => (await state()).state).toBe('installed')
  await models.remove('tiny')
  expect(await state()).toMatchObject({ state: 'absent', received: 0 })
})

test('a file from elsewhere is recognised by its content and copied', async () => {
  const { models, folder, file } = await setUp(faithful)
  const given = join(folder, 'from a friend')
  await writeFile(given, content)
  expect(await models.add(given)).toMatchObject({ state: 'installed', own: true })
  expect((await readFile(file)).equals(content)).toBe(true)
  expect((await readFile(given)).equals(content)).toBe(true)
  await writeFile(given, randomBytes(50))
  await expect(models.add(given)).rejects.toMatchObject({ code: 'unknown_model' })
})

test('models in additional folders are available but cannot be deleted', async () => {
  const other = await mkdtemp(join(tmpdir(), 'refile-models-'))
  onTestFinished(() => rm(other, { recursive: true, force: true }))
  await writeFile(join(other, 'ggml-tiny.bin'), content)
  const { models, state } = await setUp(faithful, { others: [other] })
  expect(await state()).toMatchObject({ state: 'installed', own: false })
  await models.remove('tiny')
  expect(await readdir(other)).toEqual(['ggml-tiny.bin'])
})

test.each<[string[], TranscriptionMode, string, string | undefined]>([
  [['tiny', 'base', 'medium'], 'fast', 'auto', 'base'],
  [['tiny', 'base', 'medium'], 'quality', 'auto', 'medium'],
  [['base', 'large-v3-turbo-q5_0'], 'meeting-intelligence', 'de', 'large-v3-turbo-q5_0'],
  [['base', 'base.en'], 'fast', 'en', 'base.en'],
  [['base', 'base.en'], 'fast', 'auto', 'base'],
  [['tiny', 'base.en'], 'fast', 'auto', 'tiny'],
  [['base.en'], 'fast', 'auto', 'base.en'],
  [['base.en'], 'fast', 'de', undefined],
  [[], 'fast', 'auto', undefined],
])('of %j, mode %s in %s chooses %s', (ids, mode, language, expected) => {
  const installed = speechModels.filter(({ id }) => ids.includes(id)).map(model => ({ model }))
  expect(chooseModel(installed, mode, language)?.model.id).toBe(expected)
})

test('every mode has a recommended multilingual model', () => {
  for (const mode of ['fast', 'quality', 'meeting-intelligence'] as const) {
    expect(speechModels.filter(model => model.recommended.includes(mode) && !model.englishOnly)).toHaveLength(
      1,
    )
  }
  expect(new Set(speechModels.map(({ checksum }) => checksum.hex)).size).toBe(speechModels.length)
  for (const { checksum } of speechModels) expect(checksum.hex).toMatch(/^[0-9a-f]{40}$/)
})

test('a folder with the name of a model is not a model', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'refile-models-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'ggml-tiny.bin'))
  expect(await installedModels([folder, join(folder, 'nowhere')], speechModels)).toEqual([])
})
