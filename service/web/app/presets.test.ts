import { expect, test } from 'vitest'
import { openApp } from '../../../testing/app.ts'
import { few } from '../../../testing/fixtures/full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, testService } from '../../../testing/service.ts'
import type { LastChoice, Preset, PresetFile } from './types.ts'

const start = async () => {
  const service = await testService(misbehaving)
  const app = await openApp(service)
  const put = (path: string, body: object) =>
    app.call(path, {
      method: 'PUT',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  const presets = () => json<Preset[]>(app.call('/app/presets'))
  const own = async () => (await presets()).filter(({ builtIn }) => !builtIn)
  return { app, put, presets, own }
}

const blog = {
  name: 'Blog',
  choices: { png: { target: 'webp', options: { quality: 70 } }, docx: { target: 'md' } },
}

test('own presets come after the built-in ones, and can be created, changed and removed', async () => {
  const { app, put, presets, own } = await start()
  expect((await presets()).map(({ id }) => id)).toEqual([
    ...['smaller', 'web', 'email', 'print', 'archive', 'transcript', 'gif', 'split'],
  ])
  const made = await json<Preset[]>(app.post('/app/presets', blog))
  const [preset] = await own()
  expect(made.at(-1)).toEqual(preset)
  expect(preset).toMatchObject({
    name: 'Blog',
    builtIn: false,
    choices: { png: { target: 'webp', options: { quality: 70 } }, docx: { target: 'md', options: {} } },
    lastUsedAt: null,
  })
  await put(`/app/presets/${preset!.id}`, { name: 'Site', choices: {} })
  expect(await own()).toMatchObject([{ id: preset!.id, name: 'Site', choices: {} }])
  expect((await put('/app/presets/web', blog)).status).toBe(404)
  expect((await app.call(`/app/presets/${preset!.id}`, { method: 'DELETE' })).status).toBe(204)
  expect((await app.call('/app/presets/web', { method: 'DELETE' })).status).toBe(404)
  expect(await own()).toEqual([])
})

test('the last used preset is remembered', async () => {
  const { app, presets } = await start()
  expect((await app.post('/app/presets/web/use', {})).status).toBe(204)
  expect((await app.post('/app/presets/none/use', {})).status).toBe(404)
  const used = (await presets()).filter(({ lastUsedAt }) => lastUsedAt !== null)
  expect(used.map(({ id }) => id)).toEqual(['web'])
})

test.each(
  few(1, [
    ['no conversion', { name: 'x', choices: { png: { target: 'mp3' } } }],
    ['options it does not have', { name: 'x', choices: { png: { target: 'webp', options: { dpi: 3 } } } }],
    [
      'an option out of bounds',
      { name: 'x', choices: { png: { target: 'webp', options: { quality: 101 } } } },
    ],
    ['no name', { name: ' ', choices: {} }],
  ]),
)('a preset with %s is refused, and nothing of its file is imported', async (_, wrong) => {
  const { app, own } = await start()
  expect((await app.post('/app/presets', wrong)).status).toBe(400)
  const file = { refile: 'presets', version: 1, presets: [blog, wrong] }
  expect((await app.post('/app/presets/import', file)).status).toBe(400)
  expect(await own()).toEqual([])
})

test('presets can be exported, and imported elsewhere once', async () => {
  const { app } = await start()
  await app.post('/app/presets', blog)
  const answer = await app.call('/app/presets/export')
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="refile-presets.json"')
  const file = await json<PresetFile>(answer)
  const other = await start()
  for (let times = 0; times < 2; times++) {
    expect((await other.app.post('/app/presets/import', file)).status).toBe(201)
  }
  expect(await other.own()).toMatchObject([{ name: 'Blog', choices: { docx: { target: 'md' } } }])
  expect((await other.app.post('/app/presets/import', { ...file, version: 2 })).status).toBe(400)
})

test('the last choice for each pair is remembered, without passwords', async () => {
  const { app, put } = await start()
  const choices = [
    { source: 'png', target: 'webp', options: { quality: 70 } },
    { source: 'pdf', target: 'jpg', options: { password: 'secret', quality: 80, pages: '2-3' } },
  ]
  expect((await put('/app/choices', { choices })).status).toBe(204)
  await put('/app/choices', { choices: [{ source: 'png', target: 'webp', options: {} }] })
  const remembered = await json<LastChoice[]>(app.call('/app/choices'))
  expect(remembered).toMatchObject([
    { source: 'png', target: 'webp', options: {} },
    { source: 'pdf', target: 'jpg', options: { quality: 80 } },
  ])
  expect(JSON.stringify(remembered)).not.toContain('secret')
  expect(
    (await put('/app/choices', { choices: [{ source: 'png', target: 'mp3', options: {} }] })).status,
  ).toBe(400)
})
