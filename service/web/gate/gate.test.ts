import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { testFiles } from '../../../testing/files.ts'
import { isFull } from '../../../testing/fixtures/full.ts'
import { rawRequest, sendRaw } from '../../../testing/raw-http.ts'
import { sharedService } from '../../../testing/service.ts'
import { phrase, say, wordErrors } from '../../../testing/speech.ts'
import { loadConfig } from '../../shared/config.ts'

const files = testFiles('gate')
const service = sharedService()

const formWith = (
  parts: Record<string, string | Uint8Array<ArrayBuffer>>,
  fields: Record<string, string> = {},
) => {
  const form = new FormData()
  for (const [name, content] of Object.entries(parts)) form.append('files', new Blob([content]), name)
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

const gotenberg = (path: string, body: FormData, headers: Record<string, string> = basic()) =>
  fetch(`${service().url}/gotenberg${path}`, { method: 'POST', body, headers })
const basic = () => ({ authorization: `Basic ${btoa(`anybody:${service().key}`)}` })

async function saved(answer: Response | Promise<Response>, name: string): Promise<string> {
  const { status, ...rest } = {
    status: (await answer).status,
    bytes: Buffer.from(await (await answer).arrayBuffer()),
  }
  expect(status, rest.bytes.toString('latin1', 0, 300)).toBe(200)
  const path = files.path(name)
  writeFileSync(path, rest.bytes)
  return path
}
const run = (program: string, ...args: string[]) => execFileSync(program, args, { encoding: 'utf8' })
const words = (path: string) => run('pdftotext', path, '-').replace(/\s+/g, ' ').trim()
const pagesOf = (path: string) => Number(run('qpdf', '--show-npages', path))
const bytesOf = async (path: string) =>
  new Uint8Array(await (await import('node:fs/promises')).readFile(path))

testFull("Gotenberg's clients convert, join, archive and protect documents", async () => {
  const one = { 'a.md': '# Herring\n\nAtlantic 4711' }
  const single = gotenberg('/forms/libreoffice/convert', formWith(one), {
    ...basic(),
    'gotenberg-output-filename': '/tmp/foo',
  })
  expect((await single).headers.get('content-disposition')).toContain('filename="foo.pdf"')
  const pdf = await saved(single, 'single.pdf')
  expect(words(pdf)).toContain('Herring Atlantic 4711')

  const two = { ...one, 'b.md': '# Whale' }
  const both = await saved(gotenberg('/forms/libreoffice/convert', formWith(two)), 'both.zip')
  expect(run('unzip', '-Z1', both).trim().split('\n')).toEqual(['a.md.pdf', 'b.md.pdf'])
  const fields = {
    merge: 'true',
    pdfa: 'PDF/A-2b',
    metadata: JSON.stringify({ Title: 'Fish', Author: ['A', 'B'] }),
  }
  const joined = await saved(gotenberg('/forms/libreoffice/convert', formWith(two, fields)), 'joined.pdf')
  expect(words(joined)).toMatch(/Herring.*Whale/)
  expect(run('pdfinfo', joined)).toMatch(/Title: +Fish[\s\S]*Author: +A, B/)
  expect(Buffer.from(await bytesOf(joined)).toString('latin1')).toContain('pdfaid')
})

testFull("Gotenberg's clients work on PDFs", async () => {
  const page = async (name: string) =>
    bytesOf(await saved(gotenberg('/forms/libreoffice/convert', formWith({ 'a.md': name })), `${name}.pdf`))
  const [first, second] = [await page('one'), await page('two')]
  const merged = await saved(
    gotenberg('/forms/pdfengines/merge', formWith({ '10.pdf': second, '9.pdf': first })),
    'merged.pdf',
  )
  expect(words(merged)).toMatch(/one.*two/)
  const whole = { 'a.pdf': await bytesOf(merged) }
  const split = await saved(
    gotenberg('/forms/pdfengines/split', formWith(whole, { splitMode: 'intervals', splitSpan: '1' })),
    'split.zip',
  )
  expect(run('unzip', '-Z1', split).trim().split('\n')).toHaveLength(2)
  const unified = { splitMode: 'pages', splitSpan: '2', splitUnify: 'true' }
  const second2 = await saved(gotenberg('/forms/pdfengines/split', formWith(whole, unified)), 'second.pdf')
  expect([pagesOf(second2), words(second2)]).toEqual([1, 'two 1'])
  const sealed = await saved(
    gotenberg('/forms/pdfengines/encrypt', formWith(whole, { userPassword: 'x', allowCopying: 'false' })),
    'sealed.pdf',
  )
  expect(() => run('qpdf', '--check', sealed)).toThrow()
  const [Title, Keywords] = ['Fish & «Öl»', ['first', 'second']]
  const written = await saved(
    gotenberg(
      '/forms/pdfengines/metadata/write',
      formWith(whole, { metadata: JSON.stringify({ Title, Keywords, Author: 'A' }) }),
    ),
    'written.pdf',
  )
  const both = formWith({ 'a.pdf': await bytesOf(written), 'b.pdf': first })
  const facts = await (await gotenberg('/forms/pdfengines/metadata/read', both)).json()
  const date = expect.stringMatching(/^\d{4}:\d\d:\d\d \d\d:\d\d:\d\d([+-]\d\d:\d\d|Z)?$/)
  const dates = JSON.parse(run('exiftool', '-j', '-CreateDate', '-PDFVersion', '-n', written))[0]
  expect(facts).toEqual({
    'a.pdf': expect.objectContaining({ Title, Keywords, Author: 'A', PageCount: 2, CreateDate: date }),
    'b.pdf': expect.objectContaining({ PageCount: 1 }),
  })
  expect(facts['a.pdf']).toMatchObject({ CreateDate: dates.CreateDate, PDFVersion: dates.PDFVersion })
  const unreadable = formWith({ 'a.pdf': await bytesOf(sealed) })
  expect((await gotenberg('/forms/pdfengines/metadata/read', unreadable)).status).toBe(400)
  const parts = formWith(
    { 'a.md': 'one', 'b.md': 'two' },
    { merge: 'true', splitMode: 'intervals', splitSpan: '1' },
  )
  const apart = await saved(gotenberg('/forms/libreoffice/convert', parts), 'apart.zip')
  expect(run('unzip', '-Z1', apart).trim().split('\n')).toHaveLength(2)
  const encryption = run('qpdf', '--password=x', '--show-encryption', sealed)
  expect(encryption).toMatch(
    /extract for any purpose: not allowed[\s\S]*print high resolution: allowed[\s\S]*AES/,
  )
})

testFull('a page is printed with the files that came with it, on the paper that is asked for', async () => {
  const parts = {
    'index.html': '<link rel="stylesheet" href="a.css"><h1>Whale <img src="d.svg"></h1><p>Next</p>',
    'a.css': 'p { page-break-before: always }',
    'd.svg':
      '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><rect width="90" height="90"/></svg>',
  }
  const paper = { paperWidth: '4', paperHeight: '6', marginTop: '1cm' }
  const footer =
    '<p style="text-align: right">Moby <b class="pageNumber"></b> of <b class="totalPages"></b></p>'
  const whole = formWith({ ...parts, 'footer.html': footer }, paper)
  const pdf = await saved(gotenberg('/forms/chromium/convert/html', whole), 'page.pdf')
  expect([words(pdf), pagesOf(pdf)]).toEqual(['Whale Moby 1 of 2 Next Moby 2 of 2', 2])
  expect(run('pdfinfo', pdf)).toMatch(/Page size: +288(\.\d+)? x 43[12](\.\d+)? pts/)
  const template = { 'index.html': '<body>{{ toHTML "a.md" }}</body>', 'a.md': 'Moby **1851**' }
  const written = await saved(gotenberg('/forms/chromium/convert/markdown', formWith(template)), 'md.pdf')
  expect(words(written)).toBe('Moby 1851')
})

test('refusals are those of Gotenberg, and keys are taken as its clients send them', async () => {
  const status = async (answer: Promise<Response>) => [(await answer).status, await (await answer).text()]
  const form = () => formWith({ 'a.xyz': 'x' })
  expect(await status(gotenberg('/forms/libreoffice/convert', form()))).toEqual([
    400,
    expect.stringContaining('xyz'),
  ])
  const wrong = formWith({ 'a.md': 'x' }, { merge: 'foo' })
  expect(await status(gotenberg('/forms/libreoffice/convert', wrong))).toEqual([
    400,
    expect.stringContaining('foo'),
  ])
  expect(await status(gotenberg('/forms/chromium/convert/url', form()))).toEqual([
    400,
    expect.stringContaining('no web pages'),
  ])
  const page = (header: string, scale: string) =>
    gotenberg(
      '/forms/chromium/convert/html',
      formWith({ 'index.html': 'x', 'header.html': header }, { scale }),
    )
  expect(await status(page('x', '0.5'))).toEqual([400, expect.stringContaining('scale')])
  expect(await status(page('<img src="logo.png">', '1'))).toEqual([
    400,
    expect.stringContaining('header.html'),
  ])
  const pdf = () => formWith({ 'a.pdf': '%PDF-1.7' })
  for (const [path, field] of Object.entries({
    encrypt: 'userPassword',
    'metadata/write': 'metadata',
    rotate: 'rotateAngle',
  }))
    expect(await status(gotenberg(`/forms/pdfengines/${path}`, pdf()))).toEqual([
      400,
      expect.stringContaining(field),
    ])
  expect((await gotenberg('/forms/libreoffice/convert', form(), {})).status).toBe(401)
  const { key, url } = service()
  const at = (path: string, headers = {}) => fetch(url + path, { method: 'POST', body: form(), headers })
  expect((await at(`/key/${key}/gotenberg/forms/libreoffice/convert`)).status).toBe(400)
  expect((await at(`/key/${key}x/gotenberg/forms/libreoffice/convert`)).status).toBe(401)
  expect((await at('/gotenberg/forms/libreoffice/convert', { 'x-api-key': key })).status).toBe(400)
  expect((await at(`/key/${key}/app/files`)).status).toBe(404)
  const bearer = { authorization: `Bearer ${key}` }
  expect((await fetch(`${url}/convert/jobs`, { headers: bearer })).status).toBe(401)
  expect(
    (await at('/gotenberg/forms/libreoffice/convert', { ...bearer, origin: 'https://example.com' })).status,
  ).toBe(403)
  expect(await (await fetch(`${url}/gotenberg/health`)).json()).toMatchObject({ status: 'up' })
  for (const path of [
    '/gotenberg/health',
    '/tika/tika',
    '/v1/models',
    '/convert/jobs',
    `/key/${key}/v1/models`,
  ])
    for (const [name, value] of Object.entries({ host: 'rebound.example.com', origin: 'null' })) {
      const request = rawRequest(url, 'GET', path, { 'x-service-api-key': key, [name]: value })
      expect((await sendRaw(url, request)).status, path).toBe(403)
    }
})

testFull(
  'a page and a mail ask nothing of anybody, read nothing of this machine, and names of files lead nowhere',
  async () => {
    const asked: string[] = []
    const server = createServer((request, reply) => {
      asked.push(request.url ?? '')
      reply.end()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const secret = files.path('secret.txt')
    writeFileSync(secret, 'unspeakable 9713')
    const at = (path: string) => `http://127.0.0.1:${port}/${path}`
    const html = `<link rel="stylesheet" href="${at('css')}"><style>@import "${at('import')}"; body { background: url(${at('background')}) }
    @font-face { font-family: F; src: url(${at('font')}) } p { font-family: F }</style><p>Whale</p><img src="${at('img')}"><img src="//127.0.0.1:${port}/bare">
    <iframe src="${at('frame')}"></iframe><iframe src="file://${secret}"></iframe><object data="file://${secret}"></object>
    <embed src="${at('embed')}"><svg><image href="${at('svg')}"/></svg><script src="${at('script')}"></script>`
    const page = await saved(
      gotenberg('/forms/chromium/convert/html', formWith({ 'index.html': html })),
      'l.pdf',
    )
    expect(words(page)).toContain('Whale')
    expect(words(page)).not.toContain('9713')
    const mail = `From: a@example.com\nSubject: Herring\nContent-Type: text/html\n\n${html}`
    const both = formWith({ '../../up.eml': mail, '..\\..\\..\\down.html': html })
    const zip = await saved(gotenberg('/forms/libreoffice/convert', both), 'l.zip')
    expect(run('unzip', '-Z1', zip).trim().split('\n')).toEqual(['up.eml.pdf', 'down.html.pdf'])
    const put = (path: string) =>
      fetch(`${service().url}/key/${service().key}/tika${path}`, {
        method: 'PUT',
        body: mail,
        headers: { 'content-disposition': 'attachment; filename="../../../x.eml"', accept: 'text/plain' },
      })
    expect(await (await put('/tika')).text()).toMatch(/Herring[\s\S]*Whale/)
    expect((await (await put('/rmeta')).json())[0].resourceName).toBe('x.eml')
    expect(asked).toEqual([])
  },
)

test("Tika's clients read text, properties and formats", async () => {
  const put = (path: string, body: string, headers: Record<string, string>) =>
    fetch(`${service().url}/key/${service().key}/tika${path}`, { method: 'PUT', body, headers })
  const named = { 'content-disposition': 'attachment; filename="a.md"' }
  const text = await put('/tika', '# A\n\nherring 4711', { ...named, accept: 'text/plain' })
  expect([text.status, await text.text()]).toEqual([200, 'A\n\nherring 4711\n'])
  const [parsed] = await (await put('/rmeta/text', '# A\n\nx', { 'content-type': 'text/markdown' })).json()
  expect(parsed).toMatchObject({ 'X-TIKA:content': 'A\n\nx\n', 'Content-Type': 'text/markdown' })
  expect(await (await put('/detect/stream', '%PDF-1.7', {})).text()).toBe('application/pdf')
  expect((await put('/tika', 'x', { 'content-disposition': 'attachment; filename="a.xyz"' })).status).toBe(
    415,
  )
  const form = new FormData()
  form.set('upload-file', new Blob(['herring']), 'a.txt')
  const sent = await fetch(`${service().url}/key/${service().key}/tika/tika/form/text`, {
    method: 'POST',
    body: form,
    headers: { accept: 'application/json' },
  })
  expect(await sent.json()).toMatchObject({ 'X-TIKA:content': 'herring', resourceName: 'a.txt' })
  // As Open WebUI asks: any type, and JSON is expected.
  const any = await put('/tika/text', '# A\n\nherring', { 'content-type': 'text/markdown', accept: '*/*' })
  expect(await any.json()).toMatchObject({
    'X-TIKA:content': 'A\n\nherring\n',
    'Content-Type': 'text/markdown',
  })
  const plain = await put('/tika/text', 'herring', { 'content-type': 'text/plain', accept: 'text/plain' })
  expect(await plain.text()).toBe('herring')
})

test("OpenAI's clients get their errors and models", async () => {
  const headers = () => ({ authorization: `Bearer ${service().key}` })
  const send = (path: string, fields: Record<string, string>) => {
    const form = formWith({}, fields)
    form.set('file', new Blob(['no sound']), 'a.wav')
    return fetch(`${service().url}/v1/audio/${path}`, { method: 'POST', body: form, headers: headers() })
  }
  expect((await send('transcriptions', { response_format: 'xml' })).status).toBe(400)
  expect((await send('translations', {})).status).toBe(404)
  const models = await (await fetch(`${service().url}/v1/models`, { headers: headers() })).json()
  expect(models.data[0]).toMatchObject({ id: 'whisper-1', object: 'model' })
  if (!isFull) return
  const broken = await send('transcriptions', { model: 'whisper-1', 'timestamp_granularities[]': 'segment' })
  expect([broken.status, await broken.json()]).toEqual([
    400,
    { error: expect.objectContaining({ type: 'invalid_request_error', code: 'convert.failed' }) },
  ])
})

testFull(
  "OpenAI's clients get words and segments with their times, and events that make up the text",
  async () => {
    const recording = new Uint8Array(readFileSync(say(files.path('phrase.wav'), phrase)))
    const transcribed = (fields: Record<string, string>, ...granularities: string[]) => {
      const form = formWith({}, { model: 'whisper-1', ...fields })
      form.set('file', new Blob([recording]), 'phrase.wav')
      for (const each of granularities) form.append('timestamp_granularities[]', each)
      const headers = { authorization: `Bearer ${service().key}` }
      return fetch(`${service().url}/v1/audio/transcriptions`, { method: 'POST', body: form, headers })
    }
    const verbose = { response_format: 'verbose_json', prompt: 'Nantucket '.repeat(200) }
    const { text, duration, segments, words, ...facts } = await (
      await transcribed(verbose, 'word', 'segment')
    ).json()
    expect(wordErrors(phrase, text)).toBeLessThan(0.3)
    expect(facts).toEqual({ task: 'transcribe', language: 'english' })
    expect(segments.map((segment: { text: string }) => segment.text).join(' ')).toBe(text)
    expect(words.map(({ word }: { word: string }) => word).join(' ')).toBe(text)
    const times = words.flatMap(({ start, end }: Record<string, number>) => [start, end])
    expect([0, ...times, duration]).toEqual([0, ...times, duration].toSorted((a, b) => a - b))
    const streamed = await (await transcribed({ stream: 'true' })).text()
    const events = [...streamed.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
    expect(events.flatMap(({ delta }) => delta ?? []).join('')).toBe(text)
    expect(events.at(-1)).toEqual({ type: 'transcript.text.done', text })
  },
)

test('the owner chooses which protocols are spoken', () => {
  const gates = (REFILE_GATES: string) => loadConfig({}, { REFILE_GATES }).gates
  expect([gates(''), gates('tika'), gates('none')]).toEqual([['gotenberg', 'tika', 'openai'], ['tika'], []])
  expect(() => gates('tica')).toThrow('REFILE_GATES')
})
