import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kinds } from '../../../testing/fixtures/full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { rawRequest, sendRaw } from '../../../testing/raw-http.ts'
import { sharedService } from '../../../testing/service.ts'
import { signIn } from '../../host/owner.ts'
import { buildServer } from './server.ts'

const rendererFolder = mkdtempSync(join(tmpdir(), 'refile-page-'))
writeFileSync(join(rendererFolder, 'index.html'), '<!doctype html>')
mkdirSync(join(rendererFolder, 'assets'))
writeFileSync(join(rendererFolder, 'assets', 'a.js'), '1')

const shared = sharedService({ ...misbehaving, rendererFolder })

/** Names that every object inherits, and some that look similar. */
const inherited = [
  ...Object.getOwnPropertyNames(Object.prototype),
  ...Object.getOwnPropertyNames(Array.prototype).slice(0, 5),
  'prototype',
  'then',
]

async function ask(method: string, path: string, headers: Record<string, string> = {}) {
  const { url, key } = shared()
  return sendRaw(url, rawRequest(url, method, path, { 'x-service-api-key': key, ...headers }))
}

/** Expects the contract's error envelope with a status that blames the caller. */
function refusal({ status, headers, body }: Awaited<ReturnType<typeof ask>>) {
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  const { error, detail } = JSON.parse(body)
  expect(detail).toEqual(expect.any(String))
  return { status, error: error as string }
}

test.each(kinds(inherited, word => word === 'constructor' || word === '__proto__'))(
  '"%s" is treated like any other word on every route',
  async word => {
    const service = shared()
    const headers = await signIn(await service.openUrl())
    const statuses: Record<string, number> = {}
    const note = async (name: string, answer: Promise<Response>) => {
      const { status } = await answer
      if (status >= 500) statuses[name] = status
    }
    for (const path of [
      `/convert/conversions/${word}`,
      `/convert/conversions/from/${word}`,
      `/convert/conversions/to/${word}`,
      `/convert/conversions?formats=${word}&category=${word}&${word}=1`,
      `/convert/estimate/${word}/jpg`,
      `/convert/estimate/jpg/${word}`,
      `/convert/estimate/${word}/${word}`,
      `/convert/estimate/mp3/txt?variant=${word}`,
      `/convert/schema/${word}/jpg`,
      `/convert/schema/jpg/${word}`,
      `/convert/job/${word}`,
      `/convert/job/${word}/download`,
      `/convert/job/${word}/events`,
      `/${word}`,
      `/assets/${word}`,
      `/open?token=${word}&${word}=1`,
    ]) {
      await note(path, service.call(path, { redirect: 'manual' }))
    }
    for (const path of [
      `/convert/job/${word}/download`,
      `/app/download?ids=${word}`,
      `/app/jobs?${word}=1`,
      `/app/batches/${word}/items`,
      `/app/models/${word}`,
      `/app/${word}`,
    ]) {
      await note(path, service.call(path, { key: null, headers }))
    }
    for (const path of [
      `/app/jobs/${word}/retry`,
      `/app/models/${word}/download`,
      `/app/batches/${word}/pause`,
    ]) {
      await note(path, service.call(path, { key: null, method: 'POST', headers }))
    }
    const post = (path: string, body: string, headers: Record<string, string>) =>
      note(
        `${path} ${body}`,
        service.call(path, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json', ...headers },
        }),
      )
    const value = JSON.stringify(word)
    await post('/convert', `{${value}:1}`, {})
    await post(
      '/convert',
      `{"inputUrl":"https://example.com/a","sourceFormat":${value},"targetFormat":${value}}`,
      {},
    )
    await post('/app/batches', `{"fileIds":[${value}],"targetFormat":${value},${value}:{}}`, headers)
    await post('/app/keys', `{"name":${value},${value}:{}}`, headers)
    for (const fields of [
      { sourceFormat: word },
      { options: `{${value}:{}}` },
      { options: `{"resize":{${value}:1}}` },
      { [word]: '1' },
    ]) {
      const answer = service.submit('a.jpg', 'fine', 'webp', fields as Record<string, string>)
      expect((await answer).status).toBe(400)
    }
    expect((await service.submit('a.jpg', 'fine', word)).status).toBe(400)
    expect((await service.submit(`a.${word}`, 'fine', 'webp')).status).toBe(400)
    expect(
      (await service.submit('a.mp3', 'fine', 'txt', { options: `{"transcription":{"mode":${value}}}` }))
        .status,
    ).toBe(400)
    expect(statuses).toEqual({})
  },
)

test('a body of any shape is refused by every route that takes a body', async () => {
  const service = shared()
  const session = await signIn(await service.openUrl())
  const bodies = [
    undefined,
    '',
    'null',
    '[]',
    '1',
    '"x"',
    '{',
    '{"__proto__":{"x":1}}',
    '['.repeat(50_000),
    `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`,
    '{"fileId":"\\u0000","targetFormat":"\\ud800","options":{"__proto__":{}}}',
    '{"fileIds":["x"],"targetFormat":"__proto__","options":null}',
    '{"name":"x","expiresAt":"275760-09-13T00:00:00.001Z"}',
    '{"amount":1e400}',
    '{"path":"/etc/\\u0000"}',
    `{"path":"/${'a'.repeat(5000)}"}`,
    '{"inputUrl":{},"sourceFormat":[],"targetFormat":1}',
  ]
  const types = [
    'application/json',
    'text/plain',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=x',
    'x',
  ]
  const paths = ['/convert', '/app/files', '/app/batches', '/app/keys', '/app/credits/top-up', '/app/models']
  const accepted: unknown[] = []
  const post = async (path: string, body: string | undefined, type: string) => {
    const headers = { ...(body === undefined ? {} : { 'content-type': type }), ...session }
    const answer = await service.call(path, {
      method: 'POST',
      headers,
      key: path === '/convert' ? service.key : null,
      ...(body === undefined ? {} : { body }),
    })
    const { error, detail } = (await answer.json()) as { error: unknown; detail: unknown }
    const refused = answer.status >= 400 && answer.status < 500
    if (!refused || typeof error !== 'string' || typeof detail !== 'string') {
      accepted.push({ path, body: body?.slice(0, 80), type, status: answer.status })
    }
  }
  for (const path of paths) {
    for (const body of bodies) await post(path, body, 'application/json')
    for (const type of types) await post(path, '--x\r\n', type)
  }
  expect(accepted).toEqual([])
})

test.each([
  ['GET', '//convert/conversions'],
  ['GET', '//'],
  ['GET', '/convert/%2e%2e/conversions'],
  ['GET', '/assets/..%2findex.html'],
  ['GET', '/assets/%2e%2e/%2e%2e/etc/passwd'],
  ['GET', '/index.html%00.js'],
  ['GET', '/%zz'],
  ['GET', '/%ff%fe'],
  ['GET', '/%'],
  ['GET', `/${'a'.repeat(300)}`],
  ['GET', `/${'a'.repeat(9000)}.js`],
  ['GET', `/assets/${'%F0%9F%98%80'.repeat(200)}`],
  ['GET', '*'],
  ['GET', '/index.html/x'],
  ['GET', '/index.html\\x'],
  ['QUERY', '/convert/conversions'],
  ['QUERY', '/nowhere'],
  ['TRACE', '/convert/conversions'],
  ['PROPFIND', '/convert/conversions'],
  ['CONNECT', '127.0.0.1:80'],
  ['CONNECT', '/convert'],
])('%s %.40s is not found', async (method, path) => {
  const found = refusal(await ask(method, path))
  expect(found.error).toMatch(/^request\.(not_found|method_not_allowed|malformed)$/)
})

test('a request that is not valid HTTP is refused in the usual envelope', async () => {
  const { url, key } = shared()
  const head = `host: ${new URL(url).host}\r\nx-service-api-key: ${key}\r\n`
  const send = async (text: string) => refusal(await sendRaw(url, text))
  const malformed = { status: 400, error: 'request.malformed' }
  expect(await send('GARBAGE\r\n\r\n')).toEqual(malformed)
  expect(await send(`BREW /convert HTTP/1.1\r\n${head}\r\n`)).toEqual(malformed)
  expect(await send(`get /convert HTTP/1.1\r\n${head}\r\n`)).toEqual(malformed)
  expect(await send(`GET / HTTP/3.7\r\n${head}\r\n`)).toEqual(malformed)
  expect(await send(`POST /convert HTTP/1.1\r\n${head}content-length: -5\r\n\r\n`)).toEqual(malformed)
  expect(
    await send(`POST /convert HTTP/1.1\r\n${head}content-length: 5\r\ncontent-length: 6\r\n\r\n`),
  ).toEqual(malformed)
  expect(
    await send(`POST /convert HTTP/1.1\r\n${head}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n`),
  ).toEqual(malformed)
  expect(
    await send(
      `POST /convert HTTP/1.1\r\n${head}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
    ),
  ).toEqual(malformed)
  expect(await send(`GET / HTTP/1.1\r\n${head}x: ${'a'.repeat(20_000)}\r\n\r\n`)).toEqual({
    status: 431,
    error: 'request.headers_too_large',
  })
  // A proxy in between may use another Host header than this service does.
  expect(
    await send(`GET /health HTTP/1.1\r\n${head}host: foreign.example\r\nconnection: close\r\n\r\n`),
  ).toEqual(malformed)
  expect(
    await send(`GET http://foreign.example/health HTTP/1.1\r\n${head}connection: close\r\n\r\n`),
  ).toEqual({
    status: 403,
    error: 'request.forbidden_origin',
  })
  const inFull = await sendRaw(url, `GET ${url}/health HTTP/1.1\r\n${head}connection: close\r\n\r\n`)
  expect(inFull.status).toBe(200)
  expect(await send('GET / HTTP/1.1\r\nconnection: close\r\n\r\n')).toEqual({
    status: 403,
    error: 'request.forbidden_origin',
  })
  expect(
    await send(
      `POST /convert HTTP/1.1\r\n${head}connection: close\r\nexpect: cake\r\ncontent-length: 0\r\n\r\n`,
    ),
  ).toEqual({ status: 400, error: 'request.invalid_content_type' })
})

test('a malformed address leads nowhere on every route, in the shape of every refusal', async () => {
  const service = shared()
  const own = await signIn(await service.openUrl())
  const key = { 'x-service-api-key': service.key }
  const wrong: Record<string, object> = {}
  const ask = async (method: string, path: string) => {
    // Bodies are read before ids are looked up.
    const body = method === 'PATCH' ? '{"name":"New name"}' : ''
    const headers = { ...(path.startsWith('/app') ? own : key), 'content-length': `${body.length}` }
    const typed = { ...headers, ...(body && { 'content-type': 'application/json' }) }
    const answer = await sendRaw(service.url, rawRequest(service.url, method, path, typed) + body)
    return {
      status: answer.status,
      error: answer.body.startsWith('{') ? JSON.parse(answer.body).error : answer.body,
    }
  }
  const server = await buildServer(shared().services, () => ({ host: '127.0.0.1', port: 80 }), rendererFolder)
  const routes = [...server.roles.keys()].filter(route => /:/.test(route))
  expect(routes.length).toBeGreaterThan(30)
  for (const route of routes) {
    const [method = '', url = ''] = route.split(' ')
    const isOfJob = /^\/(convert\/job|app\/jobs)\//.test(url)
    for (const part of ['%zz', '%', '%c0%af', '%ff', 'x%20%', '']) {
      for (const prefix of url.startsWith('/convert') ? ['', '/api'] : ['']) {
        const path = prefix + url.replaceAll(/:\w+/g, part)
        const error = isOfJob ? 'jobs.not_found' : 'request.not_found'
        const answer = await ask(method, path)
        if (answer.status !== 404 || answer.error !== error) wrong[`${method} ${path}`] = answer
      }
    }
  }
  expect(wrong).toEqual({})
  for (const path of [
    '//',
    '//evil.example/convert',
    '/convert//conversions',
    '/convert/conversions/',
    '/%zz',
    '/nowhere%zz',
    'http://[',
    `${service.url}/api/convert/x`,
  ])
    expect([path, (await ask('GET', path)).error]).toEqual([
      path,
      path === 'http://[' ? 'request.forbidden_origin' : 'request.not_found',
    ])
  // In absolute form, as sent to proxies, and with a query that does not decode.
  expect((await ask('GET', `${service.url}/api/convert/job/%zz?a=%`)).error).toBe('jobs.not_found')
  expect((await ask('GET', '/convert/entitlements/me?x=%zz')).status).toBe(200)
})

test('a method that an address does not take is answered with those that it takes', async () => {
  const service = shared()
  const allow = async (method: string, path: string) => {
    const answer = await service.call(path, { method })
    if (method !== 'HEAD') expect((await answer.json()).error).toBe('request.method_not_allowed')
    return [answer.status, answer.headers.get('allow')]
  }
  expect(await allow('GET', '/convert')).toEqual([405, 'POST'])
  expect(await allow('HEAD', '/api/convert')).toEqual([405, 'POST'])
  expect(await allow('OPTIONS', '/convert/job/x')).toEqual([405, 'DELETE, GET, HEAD'])
  expect(await allow('PUT', '/convert/job/x/cancel')).toEqual([405, 'POST'])
  expect(await allow('DELETE', '/convert/estimate/png/jpg?x=1')).toEqual([405, 'GET, HEAD'])
  expect(await allow('PATCH', '/app/batches')).toEqual([405, 'GET, HEAD, POST'])
  expect(await allow('POST', '/')).toEqual([405, 'GET, HEAD'])
  expect((await service.call('/nowhere', { method: 'POST' })).status).toBe(404)
})

test('ids of any length are checked only after the key, and are not found', async () => {
  for (const id of ['a'.repeat(201), 'a'.repeat(9000), '%zz', '%00', '..%2f..', '%ff']) {
    expect(refusal(await ask('GET', `/convert/job/${id}`, { 'x-service-api-key': 'none' }))).toEqual({
      status: 401,
      error: 'api_key.invalid_or_ip_not_allowed',
    })
    expect(refusal(await ask('GET', `/convert/job/${id}`))).toEqual({ status: 404, error: 'jobs.not_found' })
  }
})

test('infinite and very large numbers are refused as quantities to price', async () => {
  for (const [name, value] of [
    ['fileSizeBytes', 'Infinity'],
    ['fileSizeBytes', '1e400'],
    ['fileSizeBytes', '1e16'],
    ['fileSizeBytes', 'NaN'],
    ['fileSizeBytes', '-1'],
    ['fileSizeMb', 'Infinity'],
    ['fileSizeMb', '1e308'],
    ['pageCount', '1e999'],
    ['durationMinutes', '-Infinity'],
    ['durationMinutes', 'Infinity'],
  ]) {
    expect({
      name,
      value,
      ...refusal(await ask('GET', `/convert/estimate/jpg/png?${name}=${value}`)),
    }).toEqual({ name, value, status: 400, error: 'request.invalid_parameter' })
  }
  const largest = await ask('GET', `/convert/estimate/jpg/png?fileSizeBytes=${Number.MAX_SAFE_INTEGER}`)
  expect(JSON.parse(largest.body).estimatedCredits).toBe(1_801_439_851)
  const answer = await shared().submit('a.jpg', 'fine', 'webp', { options: '{"quality":1e400}' })
  expect(answer.status).toBe(400)
})

test('error messages repeat only a short part of what the caller sent', async () => {
  const long = 'w'.repeat(300_000)
  for (const [target, fields] of [
    [long, {}],
    ['webp', { sourceFormat: long }],
    ['webp', { options: JSON.stringify({ [long]: 1 }) }],
    ['webp', { [long]: '1' }],
  ] as const) {
    const answer = await shared().submit('a.jpg', 'fine', target, fields)
    expect(answer.status).toBe(400)
    expect((await answer.text()).length).toBeLessThan(1500)
  }
})

test('a JSON body that is too large is refused with the limit in the answer', async () => {
  const answer = await shared().call('/convert', {
    method: 'POST',
    body: JSON.stringify({ options: 'x'.repeat(2 ** 21) }),
    headers: { 'content-type': 'application/json' },
  })
  expect(answer.status).toBe(413)
  expect(await answer.json()).toMatchObject({ error: 'request.file_too_large', megabytes: 1 })
})

test('browsers neither sniff content types nor cache private answers', async () => {
  const service = shared()
  const { id } = (await (await service.submit('a.jpg', 'fine', 'webp')).json()) as { id: string }
  await service.finished(id)
  for (const path of [
    `/convert/job/${id}`,
    `/convert/job/${id}/download`,
    `/convert/job/${id}/events`,
    '/convert/schema',
    '/convert/entitlements/me',
    '/health',
    '/openapi.json',
    '/open?token=x',
    '/app/session',
    '/nowhere',
  ]) {
    const { headers } = await service.call(path, { redirect: 'manual' })
    expect({
      path,
      sniff: headers.get('x-content-type-options'),
      cache: headers.get('cache-control'),
    }).toEqual({
      path,
      sniff: 'nosniff',
      cache: 'no-store',
    })
  }
  // The catalogue is the same for everybody, and is kept as long as it is asked for each time whether it still holds.
  const catalogue = await service.call('/convert/conversions')
  expect(catalogue.headers.get('cache-control')).toBe('private, no-cache')
  const page = await service.call('/')
  expect(page.headers.get('cache-control')).toBe('no-cache')
  expect(page.headers.get('x-content-type-options')).toBe('nosniff')
  const script = await service.call('/assets/a.js')
  expect(script.headers.get('cache-control')).toContain('immutable')
  const again = await service.call('/assets/a.js', {
    headers: { 'if-none-match': script.headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
  })
  expect(again.status).toBe(304)
  expect(again.headers.get('cache-control')).not.toBe('no-store')
})
