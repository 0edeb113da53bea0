import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type CallToolResult, Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { fileFrom, Refile } from '../../sdk/src/index.ts'
import { testFull } from '../../testing/describe-full.ts'
import { few } from '../../testing/fixtures/full.ts'
import { pptx } from '../../testing/fixtures/slides.ts'
import { misbehaving } from '../../testing/misbehaving.ts'
import { sharedService, testService } from '../../testing/service.ts'
import type { Service } from '../service.ts'
import { run } from '../test/run.ts'
import { Folders, pathErrors } from './folders.ts'
import { createServer } from './tools.ts'

const service = sharedService(misbehaving)

let base: string
let folder: string
let elsewhere: string
const versions = few(1, [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', 'auto'],
])
const clients = new Map<'legacy' | 'auto', Client>()

// A process is slow to start, so the tests share two, and each has a folder of its own in the allowed one.
beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'refile-mcp-')))
  await mkdir(join(base, 'allowed'))
  for (const [, mode] of versions) clients.set(mode, await connect(mode))
})
afterAll(async () => {
  await Promise.all([...clients.values()].map(client => client.close()))
  await rm(base, { recursive: true, force: true })
})

beforeEach(async () => {
  folder = await mkdtemp(join(base, 'allowed', 'test-'))
  elsewhere = await mkdtemp(join(base, 'elsewhere-'))
  await writeFile(join(folder, 'a.jpg'), 'fine')
  await writeFile(join(elsewhere, 'secret.jpg'), 'fine')
})

/** The official client, connected to `refile mcp`. */
async function connect(mode: 'legacy' | 'auto', home = service().home): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(import.meta.dirname, '..', 'main.ts'), 'mcp', '--allow', join(base, 'allowed')],
      env: { PATH: process.env.PATH ?? '', REFILE_HOME: home },
      cwd: base,
    }),
  )
  return client
}

const shared = (mode: 'legacy' | 'auto' = 'legacy'): Client => clients.get(mode)!

const call = (client: Client, name: string, given: Record<string, unknown>, options: object = {}) =>
  client.callTool({ name, arguments: given }, options) as Promise<CallToolResult>

interface Facts {
  path: string
  job: string
  error: { code: string; detail: string }
}
const factsOf = ({ structuredContent }: CallToolResult) => structuredContent as unknown as Facts

const newest = async () => {
  const { accounts, stores } = service().services
  return (await stores.jobs.list((await accounts.owner()).id, null, 1))[0]?.status
}

describe.each(versions)('with a client of %s', (version, mode) => {
  test('a file is converted, with progress, and the result is a link to a file', async () => {
    const client = shared(mode)
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    const { tools } = await client.listTools()
    const page = await readFile(join(import.meta.dirname, '../../docs/agents.md'), 'utf8')
    const rows = [...page.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name = '']) => name)
    expect(rows.filter(name => !name.includes('.'))).toEqual(tools.map(({ name }) => name))
    expect(rows.filter(name => name.startsWith('path.'))).toEqual(Object.values(pathErrors))
    const progress: number[] = []
    await writeFile(join(folder, 'b.jpg'), 'progress')
    const request = { path: join(folder, 'b.jpg'), to: 'webp' }
    const answer = await call(client, 'convert_file', request, {
      onprogress: (step: { progress: number }) => progress.push(step.progress),
    })
    expect(answer.isError).toBeFalsy()
    const [link] = answer.content as { type: string; uri: string; name: string; size: number }[]
    expect(link).toMatchObject({ type: 'resource_link', name: 'b.webp' })
    const bytes = await readFile(fileURLToPath(link!.uri))
    expect(bytes).toHaveLength(link!.size)
    expect(fileURLToPath(link!.uri)).toBe(join(folder, 'b.webp'))
    await writeFile(join(folder, 'c.jpg'), 'then fine')
    const chain = { path: join(folder, 'c.jpg'), to: 'webp', furtherSteps: [{ to: 'png' }] }
    expect((await call(client, 'convert_file', chain)).structuredContent).toMatchObject({ credits: 2 })
    expect(progress.length).toBeGreaterThan(1)
    expect(progress).toEqual(progress.toSorted((one, other) => one - other))
  })

  test('a canceled call cancels the job', async () => {
    const client = shared(mode)
    await writeFile(join(folder, 'slow.jpg'), 'sleep')
    const stopping = new AbortController()
    const converting = call(
      client,
      'convert_file',
      { path: join(folder, 'slow.jpg'), to: 'webp' },
      { signal: stopping.signal },
    )
    await expect.poll(newest).toBe('Running')
    stopping.abort(new Error('enough'))
    await expect(converting).rejects.toThrow()
    await expect.poll(newest).toBe('Canceled')
  })
})

/** What a refusal of a path says, and that it did not say more than it should. */
async function refused(
  client: Client,
  tool: string,
  given: Record<string, unknown>,
  code: string,
): Promise<void> {
  const answer = await call(client, tool, { to: 'webp', ...given })
  expect(answer.isError, JSON.stringify(given)).toBe(true)
  expect(factsOf(answer).error.code).toBe(code)
  expect(JSON.stringify(answer)).not.toContain('fine')
}

test('only files of the allowed folders are read, whatever a path looks like', async () => {
  await mkdir(join(folder, 'inside'))
  await writeFile(join(folder, 'inside', 'c.jpg'), 'fine')
  await mkdir(join(base, 'allowed-too'), { recursive: true })
  await writeFile(join(base, 'allowed-too', 'd.jpg'), 'fine')
  await symlink(join(elsewhere, 'secret.jpg'), join(folder, 'link.jpg'))
  await symlink(elsewhere, join(folder, 'door'))
  await symlink(join(folder, 'inside', 'c.jpg'), join(folder, 'fine.jpg'))
  const client = shared()
  const paths = [
    join(elsewhere, 'secret.jpg'),
    `${folder}/../../${basename(elsewhere)}/secret.jpg`,
    relative(join(base, 'allowed'), join(elsewhere, 'secret.jpg')),
    `${basename(folder)}/../../${basename(elsewhere)}/secret.jpg`,
    join(folder, 'link.jpg'),
    join(folder, 'door', 'secret.jpg'),
    `${basename(folder)}/link.jpg`,
    join(base, 'allowed-too', 'd.jpg'),
    `file://${join(elsewhere, 'secret.jpg')}`,
    `file://elsewhere${join(folder, 'a.jpg')}`,
    '~/.ssh/id_ed25519',
    'not-there.jpg',
    join(folder, 'inside'),
    folder,
    '/proc/self/environ',
    'a.jpg\0.png',
  ]
  const files = new Set([join(folder, 'inside'), folder])
  for (const path of paths) {
    const code = files.has(path) ? 'path.not_a_file' : 'path.not_found'
    await refused(client, 'convert_file', { path }, code)
  }
  // Whether a file is there cannot be found out.
  const saying = async (path: string) =>
    factsOf(await call(client, 'convert_file', { path, to: 'webp' })).error.detail.replace(path, '…')
  expect(await saying(join(elsewhere, 'secret.jpg'))).toBe(await saying(join(elsewhere, 'none.jpg')))
  for (const path of [pathToFileURL(join(folder, 'fine.jpg')).href, `./${basename(folder)}/inside/../a.jpg`])
    expect((await call(client, 'convert_file', { path, to: 'webp' })).isError).toBeFalsy()
})

test('what was checked is what is sent, whatever has its path by then', async () => {
  vi.stubEnv('HOME', folder)
  const folders = await Folders.open([folder], service().home)
  const { path, stamp } = await folders.input('~/a.jpg')
  expect(path).toBe(join(folder, 'a.jpg'))
  const source = await fileFrom(path, 'a.jpg', stamp)
  await rm(path)
  await symlink(join(elsewhere, 'secret.jpg'), path)
  const client = new Refile({ baseUrl: service().url, apiKey: service().key })
  await expect(client.convert(source, 'webp')).rejects.toMatchObject({ code: 'file.changed' })
})

test('several files are unpacked, and every answer is as its schema says', async () => {
  const client = shared()
  await writeFile(join(folder, 'many.jpg'), 'several')
  const answer = await call(client, 'convert_file', { path: join(folder, 'many.jpg'), to: 'webp' })
  const paths = ['many-1.out.webp', 'more/many-2.out.webp'].map(name => join(folder, name))
  expect(factsOf(answer)).toMatchObject({ path: paths[0], paths, fileCount: 2 })
  expect(answer.content.map(({ type }) => type)).toEqual(['resource_link', 'resource_link', 'text'])
  expect(await readdir(folder)).toEqual(expect.arrayContaining(['many-1.out.webp', 'more']))
  const { tools } = await client.listTools()
  expect(tools.filter(({ outputSchema }) => outputSchema?.type !== 'object')).toEqual([])
})

test('a wrong argument is named', async () => {
  const given: [arguments_: Record<string, unknown>, reason: string][] = [
    [{ path: 'a.jpg' }, 'to'],
    [{ path: 'a.jpg', to: 'webp', quality: 3 }, 'quality'],
    [{ path: 7, to: 'webp' }, 'path'],
  ]
  for (const [wrong, name] of given) {
    const said = await call(shared(), 'convert_file', wrong).then(
      ({ content }) => JSON.stringify(content),
      (error: Error) => error.message,
    )
    expect(said).toMatch(new RegExp(`\\b${name}\\b (is|must)|unknown.*\\b${name}\\b`, 'i'))
  }
})

testFull('a small picture is answered as well, and the text of slides', async () => {
  const { home } = await testService()
  const client = await connect('legacy', home)
  onTestFinished(() => client.close())
  const photo = { create: { width: 40, height: 30, channels: 3 as const, background: 'red' } }
  await sharp(photo).png().toFile(join(folder, 'b.png'))
  const { content } = await call(client, 'convert_file', { path: join(folder, 'b.png'), to: 'jpg' })
  const picture = content.find(part => part.type === 'image')
  expect(picture).toMatchObject({ mimeType: 'image/jpeg' })
  const bytes = Buffer.from((picture as { data: string }).data, 'base64')
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 40 })
  await writeFile(join(folder, 'talk.pptx'), pptx(['Where we are', 'Where we go']))
  const said = await call(client, 'extract_text', { path: join(folder, 'talk.pptx') })
  expect(said.structuredContent).toMatchObject({ isWhole: true, warnings: [] })
  expect(said.content[0]).toMatchObject({ text: expect.stringMatching(/Where we are[\s\S]*Where we go/) })
})

test('results stay in the allowed folders and replace nothing', async () => {
  await symlink(elsewhere, join(folder, 'door'))
  await writeFile(join(elsewhere, 'kept'), 'mine')
  await symlink(join(elsewhere, 'kept'), join(folder, 'a.webp'))
  const client = shared()
  for (const outputFolder of [
    elsewhere,
    folder,
    join(folder, 'new'),
    '..',
    '../elsewhere',
    'x/../../elsewhere',
    'door',
    'door/x',
    'C:\\x',
  ]) {
    await refused(
      client,
      'convert_file',
      { path: join(folder, 'a.jpg'), outputFolder },
      'path.output_elsewhere',
    )
  }
  expect(await readdir(elsewhere)).toEqual(['kept', 'secret.jpg'])
  const beside = factsOf(await call(client, 'convert_file', { path: join(folder, 'a.jpg'), to: 'webp' }))
  expect(beside.path).toBe(join(folder, 'a (2).webp'))
  expect(await readFile(join(elsewhere, 'kept'), 'utf8')).toBe('mine')
  const below = await call(client, 'convert_file', {
    path: join(folder, 'a.jpg'),
    to: 'webp',
    outputFolder: 'x/y',
  })
  expect(factsOf(below).path).toBe(join(folder, 'x', 'y', 'a.webp'))
})

test("without --allow no file is reachable, and the service's own data never is", async () => {
  const none = await Folders.open([], service().home)
  await expect(none.input(join(folder, 'a.jpg'))).rejects.toMatchObject({
    message: expect.stringContaining('--allow'),
    code: 'path.no_folder_allowed',
  })
  const { home } = service()
  await writeFile(join(home, 'own.jpg'), 'fine')
  const all = await Folders.open([join(home, '..')], home)
  await expect(all.input(join(home, 'own.jpg'))).rejects.toThrow('There is no file')
  await expect(Folders.open([join(folder, 'a.jpg')], home)).rejects.toThrow('There is no folder')
})

test('the catalogue is loaded once, and again from a service that was restarted', async () => {
  const loaded: string[] = []
  const named = (url: string) => {
    const conversions = async () => {
      loaded.push(url)
      return { conversions: [], sourceFormatTo: { [url]: [] }, maxConcurrentJobs: 1 }
    }
    return { url, client: { conversions } } as unknown as Service
  }
  let current = named('first')
  const tools = createServer(
    async () => current,
    await Folders.open([folder], base),
    new AbortController().signal,
  )
  const client = new Client({ name: 'test', version: '1' })
  const [own, other] = InMemoryTransport.createLinkedPair()
  await Promise.all([tools.connect(other), client.connect(own)])
  const formats = async () => Object.keys(factsOf(await call(client, 'list_targets', {})))
  await Promise.all([formats(), formats()])
  expect(await formats()).toEqual(['first'])
  current = named('second')
  expect(await formats()).toEqual(['second'])
  expect(loaded).toEqual(['first', 'second'])
  await client.close()
})

testFull('a service that was restarted elsewhere is found again', async () => {
  const home = await mkdtemp(join(base, 'restarted-'))
  const before = await testService({ ...misbehaving, home })
  const client = await connect('legacy', home)
  onTestFinished(() => client.close())
  expect((await call(client, 'list_targets', { format: 'heic' })).isError).toBeFalsy()
  await before.close()
  const { url } = await testService({ ...misbehaving, home })
  expect(url).not.toBe(before.url)
  expect((await call(client, 'list_targets', { format: 'heic' })).isError).toBeFalsy()
  expect(factsOf(await call(client, 'job_status', { id: 'none' })).error.code).toBe('jobs.not_found')
})

testFull('it ends when the client does', async () => {
  const ended = await run(service().home, folder, ['mcp', '--allow', folder])
  expect(ended).toMatchObject({ code: 0, stdout: '', stderr: '' })
})

test('failures have the codes of the service', async () => {
  await writeFile(join(folder, 'bad.jpg'), 'fail-with-cause')
  const client = shared()
  const codeOf = async (name: string, given: Record<string, unknown>) => {
    const answer = await call(client, name, given)
    expect(answer.isError).toBe(true)
    return factsOf(answer).error
  }
  expect(await codeOf('convert_file', { path: join(folder, 'a.jpg'), to: 'mp3' })).toMatchObject({
    code: 'convert.unsupported_format_pair',
    supportedTargets: expect.arrayContaining(['webp']),
  })
  expect(await codeOf('convert_file', { path: join(folder, 'bad.jpg'), to: 'webp' })).toMatchObject({
    code: 'jobs.corrupt_input',
  })
  expect(
    await codeOf('convert_file', { path: join(folder, 'a.jpg'), to: 'webp', options: { nonsense: 1 } }),
  ).toMatchObject({ code: 'convert.invalid_options' })
  expect(await codeOf('job_status', { id: 'none' })).toMatchObject({ code: 'jobs.not_found' })
  await writeFile(join(folder, 'a.ttf'), 'fine')
  expect(await codeOf('extract_text', { path: join(folder, 'a.ttf') })).toMatchObject({
    code: 'convert.unsupported_format_pair',
  })
})

test('targets and options are those of the service', async () => {
  const client = shared()
  const { targets } = factsOf(await call(client, 'list_targets', { format: '/any/photo.heic' })) as never as {
    targets: { to: string }[]
  }
  expect(targets.map(({ to }) => to)).toEqual(expect.arrayContaining(['jpg', 'webp']))
  const schema = factsOf(await call(client, 'describe_options', { from: 'heic', to: 'jpg' }))
  expect(schema).toMatchObject({ type: 'object', properties: { quality: { type: 'integer' } } })
})

testFull('texts are answered, or saved if asked for', async () => {
  await writeFile(join(folder, 'talk.mp3'), 'fine')
  const client = shared()
  for (const [tool, given] of [
    ['transcribe', { language: 'en' }],
    ['extract_text', {}],
  ] as const) {
    const answer = await call(client, tool, { path: join(folder, 'talk.mp3'), ...given })
    expect(answer.content).toEqual([{ type: 'text', text: expect.stringMatching(/^fine done by \d+$/) }])
  }
  expect(await readdir(folder)).toEqual(['a.jpg', 'talk.mp3'])
  const saved = await call(client, 'transcribe', {
    path: join(folder, 'talk.mp3'),
    format: 'srt',
    outputFolder: '.',
  })
  expect(factsOf(saved).path).toBe(join(folder, 'talk.srt'))
})

test('a job in the background is asked for later', async () => {
  await writeFile(join(folder, 'slow.jpg'), 'fine 500')
  const client = shared()
  const { job } = factsOf(
    await call(client, 'convert_file', { path: join(folder, 'slow.jpg'), to: 'webp', background: true }),
  )
  const status = async () => factsOf(await call(client, 'job_status', { id: job }))
  expect(await status()).toMatchObject({ job, status: expect.stringMatching(/Queued|Running/) })
  await expect.poll(status).toMatchObject({ path: join(folder, 'slow.webp') })
})
