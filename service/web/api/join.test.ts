import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { openApp } from '../../../testing/app.ts'
import { testFull } from '../../../testing/describe-full.ts'
import { ffprobe, judge, make, tool } from '../../../testing/fixtures/media.ts'
import { json, sharedService } from '../../../testing/service.ts'
import type { StagedFile } from '../app/types.ts'

const service = sharedService()
const colours = ['red', 'lime', 'blue']
let pictures: Buffer<ArrayBuffer>[]

/** Silence, longer than what the least price pays for together with another one. */
const SECONDS = 200
function silence(): Buffer<ArrayBuffer> {
  const path = join(service().home, 'silence.flac')
  return readFileSync(make(path, '-f', 'lavfi', '-i', `anullsrc=r=8000:cl=mono:d=${SECONDS}`))
}

beforeAll(async () => {
  pictures = await Promise.all(
    colours.map((background, index) =>
      sharp({ create: { width: 40 + index, height: 30, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
})

function post(
  fields: Record<string, string>,
  names: readonly string[],
  after: Record<string, string> = {},
  headers = {},
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  for (const [index, name] of names.entries()) form.append('file', new Blob([pictures[index]!]), name)
  for (const [name, value] of Object.entries(after)) form.append(name, value)
  return service().call('/convert', { method: 'POST', body: form, headers })
}

async function pagesOf(answer: Promise<Response>) {
  const path = join(service().home, 'joined.pdf')
  await writeFile(path, Buffer.from(await (await answer).arrayBuffer()))
  expect(judge('qpdf', '--check', path)).toMatchObject({ status: 0 })
  const pictures = tool('pdfimages', '-list', path).trim().split('\n').slice(2)
  return pictures.map(line => Number(line.trim().split(/\s+/)[3]))
}

const joining = { sourceFormat: 'files', targetFormat: 'pdf' }

test('several files become one PDF in their order', async () => {
  const answer = await post(joining, ['c.png', 'a.v2.png', 'b.png'])
  expect(answer.status).toBe(202)
  const { id } = await json<{ id: string }>(answer)
  const done = await service().finished(id)
  expect(done).toMatchObject({ status: 'Succeeded', output: { fileName: 'c +2.pdf', fileCount: 1 } })
  expect(await pagesOf(service().call(`/convert/job/${id}/download`))).toEqual([40, 41, 42])
})

test('under one key they are one job, in one order of names', async () => {
  const send = (...names: string[]) => post(joining, names, {}, { 'idempotency-key': 'joined' })
  const first = await json<{ id: string }>(await send('a.png', 'b.png'))
  expect(await json<{ id: string }>(await send('a.png', 'b.png'))).toEqual(first)
  expect((await send('b.png', 'a.png')).status).toBe(422)
  expect((await send('a.png')).status).toBe(422)
})

test('they are refused for every other conversion, and if one of them has no pages', async () => {
  const code = async (answer: Promise<Response>) => (await json<{ error: string }>(answer)).error
  expect(await code(post({ targetFormat: 'pdf' }, ['a.png', 'b.png']))).toBe('request.multiple_files')
  expect(await code(post({ targetFormat: 'pdf', sourceFormat: 'png' }, ['a.png', 'b.png']))).toBe(
    'request.multiple_files',
  )
  expect(await code(post({ targetFormat: 'pdf' }, ['a.png', 'b.png'], { sourceFormat: 'files' }))).toBe(
    'request.multiple_files',
  )
  expect(await code(post({ ...joining, targetFormat: 'webp' }, ['a.png', 'b.png']))).toBe(
    'convert.unsupported_format_pair',
  )
  pictures[1] = Buffer.from('OTTO no picture') as Buffer<ArrayBuffer>
  expect(await code(post(joining, ['a.png', 'b.otf']))).toBe('request.invalid_extension')
})

testFull('several recordings become one, at the price of all their minutes', async () => {
  const form = new FormData()
  form.append('sourceFormat', 'recordings')
  form.append('targetFormat', 'flac')
  const sound = new Blob([silence()])
  for (const name of ['a.flac', 'b.flac']) form.append('file', sound, name)
  const answer = await service().call('/convert', { method: 'POST', body: form })
  const { id, creditCost } = await json<{ id: string; creditCost: number }>(answer)
  expect(creditCost).toBe(2)
  const done = await service().finished(id)
  expect(done).toMatchObject({ status: 'Succeeded', output: { fileName: 'a +1.flac' } })
  const path = join(service().home, 'joined.flac')
  const download = await service().call(`/convert/job/${id}/download`)
  await writeFile(path, Buffer.from(await download.arrayBuffer()))
  expect(Number(ffprobe(path).format.duration)).toBe(2 * SECONDS)
})

testFull('the app joins files that were added, and keeps them', async () => {
  const app = await openApp(service())
  const staged: StagedFile[] = []
  for (const [index, name] of ['x.png', 'y.png'].entries())
    staged.push(await json<StagedFile>(app.drop(name, pictures[index === 0 ? 2 : 0]!)))
  const ids = staged.map(({ id }) => id)
  const joined = await json<StagedFile>(app.post('/app/files/join', { ids }))
  expect(joined).toMatchObject({ name: 'x +1', format: 'files', targets: [{ target: 'pdf', likely: true }] })
  const job = await app.convert(joined.id, 'pdf')
  expect((await app.finished(job.id))?.output?.fileName).toBe('x +1.pdf')
  expect(await pagesOf(app.call(`/convert/job/${job.id}/download`))).toEqual([42, 40])
  const left = await app.waiting()
  expect(left.map(({ id }) => id)).toEqual(ids)
  expect((await app.post('/app/files/join', { ids: ['gone'] })).status).toBe(400)
})

test('the app joins recordings to what recordings become, and no picture with them', async () => {
  const app = await openApp(service())
  const [first, second] = [
    await json<StagedFile>(app.drop('x.flac', silence())),
    await json<StagedFile>(app.drop('y.flac', silence())),
  ]
  const picture = await json<StagedFile>(app.drop('z.png', pictures[0]!))
  const joined = await json<StagedFile>(app.post('/app/files/join', { ids: [first.id, second.id] }))
  expect(joined).toMatchObject({ name: 'x +1', format: 'recordings', minutes: (2 * SECONDS) / 60 })
  const targets = joined.targets.map(({ target }) => target)
  expect(targets).toContain('m4b')
  expect(targets).not.toContain('pdf')
  const refused = await app.post('/app/files/join', { ids: [first.id, picture.id] })
  expect(await refused.json()).toMatchObject({ error: 'request.invalid_extension' })
})

testFull('several videos become one, over the API and in the app', async () => {
  const video = join(service().home, 'video.mp4')
  make(video, '-f', 'lavfi', '-i', 'testsrc=s=64x48:r=25:d=1', '-c:v', 'libx264', '-preset', 'ultrafast')
  const form = new FormData()
  form.append('sourceFormat', 'videos')
  form.append('targetFormat', 'mp4')
  for (const name of ['a.mp4', 'b.mp4']) form.append('file', new Blob([readFileSync(video)]), name)
  const { id } = await json<{ id: string }>(service().call('/convert', { method: 'POST', body: form }))
  expect(await service().finished(id)).toMatchObject({ output: { fileName: 'a +1.mp4' } })
  const path = join(service().home, 'joined.mp4')
  const download = await service().call(`/convert/job/${id}/download`)
  await writeFile(path, Buffer.from(await download.arrayBuffer()))
  expect(
    tool(
      'ffprobe',
      '-v',
      'error',
      ...['-count_packets', '-show_entries', 'stream=nb_read_packets'],
      '-select_streams',
      'v',
      '-of',
      'csv=p=0',
      path,
    ).trim(),
  ).toBe('50')

  const app = await openApp(service())
  const added: string[] = []
  for (const name of ['x.mp4', 'y.mp4', 'z.flac'])
    added.push(
      (await json<StagedFile>(app.drop(name, name === 'z.flac' ? silence() : readFileSync(video)))).id,
    )
  const joinedAs = async (ids: string[]) => json<StagedFile>(app.post('/app/files/join', { ids }))
  const videos = await joinedAs(added.slice(0, 2))
  expect(videos).toMatchObject({ name: 'x +1', format: 'videos', minutes: 2 / 60 })
  expect(videos.targets.map(({ target }) => target)).toEqual(expect.arrayContaining(['mp4', 'webm', 'mp3']))
  // With a media file among them, it is their sound.
  expect(await joinedAs(added)).toMatchObject({ format: 'recordings' })
})
