import { request as httpRequest } from 'node:http'
import { expect, test } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, sharedService, type TestService, testService } from '../../../testing/service.ts'

/** For what is refused; jobs would leave their files in it. */
const refusing = sharedService(misbehaving)

interface Refusal {
  error: string
  detail: string
  sourceFormat?: string
  targetFormat?: string
  supportedTargets?: string[]
  megabytes?: number
  isRetryable?: boolean
}

const form = (fields: Record<string, string | [string, string]>): FormData => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') data.append(name, value)
    else data.append(name.replace(/\d$/, ''), new Blob([value[1]]), value[0])
  }
  return data
}

const post = (
  service: TestService,
  body: BodyInit,
  headers: Record<string, string> = {},
  path = '/convert',
) => service.call(path, { method: 'POST', body, headers })

/** Expects a refusal that costs nothing and leaves no file behind. */
async function refused(
  service: TestService,
  answer: Promise<Response>,
  status: number,
  error: string,
): Promise<Refusal> {
  const before = await service.balance()
  const response = await answer
  const body = await json<Refusal>(response)
  expect({ status: response.status, error: body.error }).toEqual({ status, error })
  expect(body.detail.length).toBeGreaterThan(10)
  expect(await service.balance()).toBe(before)
  expect(await service.filesLeft()).toEqual([])
  return body
}

test('a body that is neither a form nor JSON', async () => {
  const service = refusing()
  await refused(
    service,
    post(service, 'file', { 'content-type': 'text/plain' }),
    400,
    'request.invalid_content_type',
  )
  await refused(service, service.call('/convert', { method: 'POST' }), 400, 'request.invalid_content_type')
})

test('JSON that is malformed or no object, and a field that is given twice, say so', async () => {
  const service = refusing()
  for (const [body, detail] of [
    ['{"a":', 'The body is not valid JSON.'],
    ['[]', 'The body is not a JSON object.'],
  ] as const)
    expect(
      await refused(
        service,
        post(service, body, { 'content-type': 'application/json' }),
        400,
        'request.malformed',
      ),
    ).toMatchObject({ detail })
  for (const name of ['targetFormat', 'options']) {
    const twice = form({ targetFormat: 'webp', options: '{}' })
    twice.append(name, name === 'options' ? '{}' : 'png')
    twice.append('file', new Blob(['fine']), 'a.jpg')
    expect(await refused(service, post(service, twice), 400, 'request.invalid_parameter')).toMatchObject({
      detail: `"${name}" is given more than once. Give it once.`,
    })
  }
  const query = service.call('/convert?targetFormat=webp&targetFormat=png', {
    method: 'POST',
    body: form({}),
  })
  expect(await refused(service, query, 400, 'request.invalid_parameter')).toMatchObject({
    detail: expect.stringContaining('more than once'),
  })
})

test('a broken form', async () => {
  const service = refusing()
  const multipart = 'multipart/form-data; boundary=xx'
  const part = '--xx\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nbytes'
  for (const [body, type] of [
    [part, multipart],
    [`${part}\r\n--x`, multipart],
    ['nothing like a form', multipart],
    [part, 'multipart/form-data'],
  ] as const) {
    await refused(service, post(service, body, { 'content-type': type }), 400, 'request.invalid_content_type')
  }
})

test('no file, an empty file, two files', async () => {
  const service = refusing()
  await refused(service, post(service, form({ targetFormat: 'webp' })), 400, 'request.no_files')
  await refused(
    service,
    post(service, form({ targetFormat: 'webp', document: ['a.jpg', 'x'] })),
    400,
    'request.no_files',
  )
  await refused(
    service,
    post(service, form({ targetFormat: 'webp', file: ['a.jpg', ''] })),
    400,
    'request.empty_file',
  )
  const part = (head: string, content: string) =>
    `--x\r\nContent-Disposition: form-data; name="file"${head}\r\n\r\n${content}\r\n--x\r\nContent-Disposition: form-data; name="targetFormat"\r\n\r\nwebp\r\n--x--\r\n`
  const multipart = { 'content-type': 'multipart/form-data; boundary=x' }
  // A text field, and what a browser sends when no file was chosen.
  for (const body of [
    part('', 'fine'),
    part('; filename=""', ''),
    part('; filename=""\r\nContent-Type: application/octet-stream', ''),
  ]) {
    await refused(service, post(service, body, multipart), 400, 'request.no_files')
  }
  // A file part without a name, so its format can only be told from its content.
  const unnamed = part('\r\nContent-Type: application/octet-stream', 'fine')
  await refused(service, post(service, unnamed, multipart), 400, 'convert.unsupported_source_format')
  const two = form({ targetFormat: 'webp', file1: ['a.jpg', 'x'], file2: ['b.jpg', 'y'] })
  await refused(service, post(service, two), 400, 'request.multiple_files')
})

test('an unknown field is named in the error', async () => {
  const service = refusing()
  const body = form({ targetFormat: 'webp', option: '{}', file: ['a.jpg', 'x'] })
  const refusal = await refused(service, post(service, body), 400, 'convert.invalid_options')
  expect(refusal.detail).toContain('"option"')
})

test('a missing target format is refused, unless the query string has it', async () => {
  const service = await testService(misbehaving)
  await refused(service, post(service, form({ file: ['a.jpg', 'x'] })), 400, 'convert.missing_target_format')
  const response = await post(service, form({ file: ['a.jpg', 'fine'] }), {}, '/convert?targetFormat=WEBP')
  expect(response.status).toBe(202)
  const both = (target: string) =>
    post(
      service,
      form({ targetFormat: 'webp', file: ['a.jpg', 'fine'] }),
      {},
      `/convert?targetFormat=${target}`,
    )
  expect((await both('webp')).status).toBe(202)
  expect([(await both('png')).status, await json(both('png'))]).toEqual([
    400,
    { error: 'request.invalid_parameter', detail: '"targetFormat" is given more than once. Give it once.' },
  ])
})

test('a source that nothing converts, and a pair that nothing converts', async () => {
  const service = refusing()
  const unknown = form({ targetFormat: 'jpg', file: ['notes.xyz', 'some text'] })
  expect(
    await refused(service, post(service, unknown), 400, 'convert.unsupported_source_format'),
  ).toMatchObject({
    sourceFormat: 'xyz',
    supportedTargets: [],
  })
  const explicit = form({ targetFormat: 'jpg', sourceFormat: 'nonsense', file: ['a.jpg', 'x'] })
  await refused(service, post(service, explicit), 400, 'convert.unsupported_source_format')
  const pair = form({ targetFormat: 'mp3', file: ['a.jpg', 'x'] })
  expect(await refused(service, post(service, pair), 400, 'convert.unsupported_format_pair')).toMatchObject({
    sourceFormat: 'jpg',
    targetFormat: 'mp3',
    supportedTargets: expect.arrayContaining(['avif', 'webp', 'jxl']),
  })
})

test('a file that is not in the declared sourceFormat', async () => {
  const service = refusing()
  const png = Buffer.from('89504e470d0a1a0a', 'hex').toString('latin1')
  for (const name of ['a.docx', 'a.png']) {
    const body = form({ targetFormat: 'webp', sourceFormat: 'jpg', file: [name, 'x'] })
    await refused(service, post(service, body), 400, 'request.invalid_extension')
  }
  const lying = new FormData()
  lying.set('targetFormat', 'webp')
  lying.set('sourceFormat', 'jpg')
  lying.set('file', new Blob([Buffer.from(png, 'latin1')]), 'a.jpg')
  await refused(service, post(service, lying), 400, 'request.invalid_extension')
})

test('a file with the wrong extension is converted according to its content', async () => {
  const service = await testService(misbehaving)
  const png = Buffer.from('89504e470d0a1a0a0000', 'hex')
  const { id } = await json<{ id: string }>(service.submit('photo.jpg', png, 'ico'))
  const job = await service.services.jobs.get(id, (await service.services.accounts.owner()).id)
  expect(job.job).toBe('image.png-to-ico')
})

test('a file over the limit is refused with the limit in megabytes', async () => {
  const service = await testService({ ...misbehaving, maxFileBytes: 3_000_000 })
  const refusal = await refused(
    service,
    service.submit('a.jpg', new Uint8Array(5_000_000), 'webp'),
    413,
    'request.file_too_large',
  )
  expect(refusal.megabytes).toBe(3)
})

testFull("a file over its converter's own limit", async () => {
  const service = refusing()
  const font = Buffer.concat([Buffer.from('wOFF'), Buffer.alloc(50_000_001)])
  const refusal = await refused(service, service.submit('a.woff', font, 'ttf'), 413, 'request.file_too_large')
  expect(refusal.megabytes).toBe(50)
})

test.each([
  ['not json', 'not valid JSON'],
  ['[1]', 'must be a JSON object'],
  ['{"resize":{"value":20000}}', 'options.resize.value must be at most 10000'],
  ['{"resize":{"preset":"8k"}}', 'options.resize.preset must be one of off, 4k, 2k'],
  ['{"metadata":{"strip":"yes"}}', 'options.metadata.strip must be true or false'],
  ['{"sharpest":true}', 'options.sharpest is not an option'],
  ['{"resize":{"breadth":1}}', 'options.resize.breadth is not an option'],
])('options %s', async (options, message) => {
  const service = refusing()
  const answer = service.submit('a.jpg', 'fine', 'webp', { options })
  expect((await refused(service, answer, 400, 'convert.invalid_options')).detail).toContain(message)
})

test('a webhook without its secret is refused', async () => {
  const service = refusing()
  const answer = service.submit('a.jpg', 'fine', 'webp', { webhookUrl: 'https://example.com/x' })
  await refused(service, answer, 400, 'convert.invalid_webhook')
})

test('without enough credits, the answer says what is required and what is available', async () => {
  const service = await testService({ ...misbehaving, freeCredits: 0 })
  const refusal = await refused(
    service,
    service.submit('a.jpg', 'fine', 'webp'),
    402,
    'entitlements.insufficient_credits',
  )
  expect(refusal.detail).toContain('Required: 1, available: 0')
})

test('URL input, as far as it can be checked without fetching', async () => {
  const service = await testService({ ...misbehaving, urlInput: false })
  const { keys, accounts } = service.services
  const guest = (await keys.create((await accounts.owner()).id, { name: 'guest', guest: true })).secret
  const whole = { inputUrl: 'https://example.com/a.jpg', targetFormat: 'webp', sourceFormat: 'jpg' }
  const send = (body: object, key = service.key) =>
    service.call('/convert', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      key,
    })
  const cases: [object, number, string][] = [
    [{ targetFormat: 'webp' }, 400, 'request.no_files'],
    [{ ...whole, sourceFormat: undefined }, 400, 'url_fetch.missing_source_format'],
    [{ ...whole, targetFormat: undefined }, 400, 'convert.missing_target_format'],
    [{ ...whole, targetFormat: 'mp3' }, 400, 'convert.unsupported_format_pair'],
    // The pair and its options come before the address.
    [
      { ...whole, inputUrl: 'http://10.0.0.1/a', targetFormat: 'mp3' },
      400,
      'convert.unsupported_format_pair',
    ],
    [{ ...whole, inputUrl: 'https://10.0.0.1/a', options: { size: 1 } }, 400, 'convert.invalid_options'],
    [{ ...whole, inputUrl: '' }, 400, 'url_fetch.invalid_url'],
    [{ ...whole, inputUrl: 'http://example.com/a.jpg' }, 400, 'url_fetch.invalid_scheme'],
    [{ ...whole, inputUrl: 'https://127.0.0.1/a.jpg' }, 400, 'url_fetch.private_ip'],
    [{ ...whole, inputUrl: 'https://0x7f.1/a.jpg' }, 400, 'url_fetch.private_ip'],
    [{ ...whole, inputUrl: 'https://[::1]/a.jpg' }, 400, 'url_fetch.private_ip'],
    [{ ...whole, inputUrl: 'https://localhost/a.jpg' }, 400, 'url_fetch.private_ip'],
    [{ ...whole, outputUrl: 'https://example.com' }, 400, 'url_fetch.output_url_reserved'],
    [{ ...whole, options: 'text' }, 400, 'convert.invalid_options'],
    [{ ...whole, options: '{}' }, 400, 'convert.invalid_options'],
    [{ ...whole, inputUrl: ['https://127.0.0.1/a.jpg'] }, 400, 'url_fetch.invalid_url'],
    [whole, 400, 'url_fetch.disabled'],
  ]
  for (const [body, status, code] of cases) {
    const refusal = await refused(service, send(body), status, code)
    if (code.startsWith('url_fetch')) expect(refusal.isRetryable).toBe(false)
  }
  await refused(service, send(whole, guest), 403, 'url_fetch.guest_not_allowed')
  const hooked = form({
    file: ['a.jpg', 'x'],
    targetFormat: 'webp',
    webhookUrl: 'https://hooks.example/',
    webhookSecret: 'x'.repeat(16),
  })
  const answer = service.call('/convert', { method: 'POST', body: hooked, key: guest })
  const { detail } = await refused(service, answer, 400, 'convert.invalid_webhook')
  expect(detail).toContain('guest key')
  const both = form({ ...whole, file: ['a.jpg', 'x'] })
  await refused(service, post(service, both), 400, 'url_fetch.mutually_exclusive')
})

test('an aborted upload leaves no file behind and charges nothing', async () => {
  const service = await testService(misbehaving)
  const aborted = new Promise<void>(resolve => {
    const upload = httpRequest(`${service.url}/convert`, {
      method: 'POST',
      headers: {
        'content-type': 'multipart/form-data; boundary=xx',
        'x-service-api-key': service.key,
        'content-length': 10_000_000,
      },
    })
    upload.on('error', () => resolve())
    upload.write('--xx\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n')
    upload.write(Buffer.alloc(1_000_000))
    expect
      .poll(() => service.filesLeft())
      .toHaveLength(1)
      .then(() => upload.destroy(), resolve)
  })
  await aborted
  await expect.poll(() => service.filesLeft()).toEqual([])
  expect(await service.balance()).toBe(500)
})

test('file names keep their characters but lose their folders', async () => {
  const service = await testService(misbehaving)
  const { id } = await json<{ id: string }>(
    service.submit('../../Überraschung "für" 日本.jpg', 'fine', 'webp'),
  )
  const status = await service.finished(id)
  expect(status.output?.fileName).toBe('Überraschung "für" 日本.out')
  const download = await service.call(`/convert/job/${id}/download`)
  const disposition = download.headers.get('content-disposition') ?? ''
  const encoded = /filename\*=UTF-8''(\S+)/.exec(disposition)?.[1] ?? ''
  expect(decodeURIComponent(encoded)).toBe('Überraschung "für" 日本.out')
  await download.text()
})

test('an interrupted download resumes where it stopped', async () => {
  const service = await testService(misbehaving)
  const { id } = await json<{ id: string }>(service.submit('a.jpg', 'fine', 'webp'))
  await service.finished(id)
  const download = async (headers: Record<string, string> = {}) => {
    const answer = await service.call(`/convert/job/${id}/download`, { headers })
    return {
      status: answer.status,
      range: answer.headers.get('content-range'),
      text: await answer.text(),
      answer,
    }
  }
  const { text, answer } = await download()
  const etag = answer.headers.get('etag') ?? ''
  expect(text.length).toBeGreaterThan(3)
  const rest = { status: 206, range: `bytes 2-${text.length - 1}/${text.length}`, text: text.slice(2) }
  expect(await download({ range: 'bytes=2-' })).toMatchObject(rest)
  expect(await download({ range: 'bytes=2-', 'if-range': etag })).toMatchObject(rest)
  expect(await download({ range: 'bytes=-1' })).toMatchObject({ status: 206, text: text.slice(-1) })
  expect(await download({ range: 'bytes=2-', 'if-range': '"another"' })).toMatchObject({ status: 200, text })
  expect(await download({ range: 'bytes=0-1,3-3' })).toMatchObject({ status: 200, text })
  for (const known of [etag, `W/${etag}`, `"another", ${etag}`, '*'])
    expect(await download({ 'if-none-match': known })).toMatchObject({ status: 304, text: '' })
  expect(await download({ 'if-none-match': '"another"' })).toMatchObject({ status: 200, text })
  const outside = { status: 416, range: `bytes */${text.length}`, text: '' }
  expect(await download({ range: `bytes=${text.length}-` })).toMatchObject(outside)
})

test('every route answers under /api as well', async () => {
  const service = await testService(misbehaving)
  const body = form({ targetFormat: 'webp', file: ['a.jpg', 'fine'] })
  const { id } = await json<{ id: string }>(post(service, body, {}, '/api/convert'))
  await service.finished(id)
  expect((await service.call(`/api/convert/job/${id}/download`)).status).toBe(200)
})
