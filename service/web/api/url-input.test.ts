import type { RequestListener } from 'node:http'
import { expect, test, vi } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { dnsServer } from '../../../testing/dns.ts'
import { few } from '../../../testing/fixtures/full.ts'
import { httpsServer } from '../../../testing/https.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { PUBLIC_ADDRESS } from '../../../testing/servers/https.ts'
import { json, type TestService, testService } from '../../../testing/service.ts'
import { createOutbound, type OutboundSettings } from '../../shared/net/outbound.ts'
import { nameResolver } from '../../shared/net/resolver.ts'
import type { Network } from '../../shared/net/transport.ts'

interface Answer {
  id: string
  error: string
  detail: string
  isRetryable: boolean
}

/** A service that can reach `files.example` and no other host. */
async function serviceWith(
  listener: RequestListener,
  { network = {}, settings = {}, ...options }: Setup = {},
) {
  const server = await httpsServer(listener)
  const outbound = createOutbound({
    offline: false,
    transport: server.transportWith(network),
    ...settings,
  })
  const service = await testService({ ...misbehaving, outbound, ...options })
  return { service, origin: server.origin }
}

type Setup = { network?: Network; settings?: Partial<OutboundSettings> } & Parameters<typeof testService>[0]

const post = (service: TestService, inputUrl: string, fields: object = {}, key = service.key) =>
  service.call('/convert', {
    method: 'POST',
    key,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ inputUrl, sourceFormat: 'jpg', targetFormat: 'webp', ...fields }),
  })

/** Expects a refusal that costs nothing and leaves no file behind. */
async function refused(service: TestService, answer: Promise<Response>, error: string, isRetryable: boolean) {
  const response = await answer
  const body = await json<Answer>(response)
  expect(body).toMatchObject({ error, isRetryable })
  expect(body.detail.length).toBeGreaterThan(10)
  expect(await service.balance()).toBe(500)
  expect(await service.filesLeft()).toEqual([])
  return { status: response.status, ...body }
}

test('a file from a URL is converted, requested as JSON or as a form, and keeps the name the server gives it', async () => {
  const { service, origin } = await serviceWith((request, reply) => {
    if (request.url === '/moved') reply.writeHead(302, { location: '/image.php?id=7' }).end()
    else reply.writeHead(200, { 'content-disposition': 'attachment; filename="Harbour.jpg"' }).end('fine')
  })
  const fromJson = await json<Answer>(post(service, `${origin}/moved`))
  const form = new FormData()
  for (const [name, value] of Object.entries({
    inputUrl: `${origin}/x`,
    sourceFormat: 'jpg',
    targetFormat: 'png',
  }))
    form.set(name, value)
  const fromForm = await json<Answer>(service.call('/convert', { method: 'POST', body: form }))
  for (const { id } of [fromJson, fromForm]) {
    expect(await service.finished(id)).toMatchObject({
      status: 'Succeeded',
      output: { fileName: 'Harbour.out' },
    })
    expect(await (await service.call(`/convert/job/${id}/download`)).text()).toMatch(/^fine done/)
  }
})

/** One for each code, and then further ones. */
const refusals: readonly [what: string, listener: RequestListener, error: string, isRetryable: boolean][] = [
  ['a page that is not there', (_, reply) => reply.writeHead(404).end('no'), 'url_fetch.http_error', false],
  ['an expired link', (_, reply) => reply.writeHead(403).end('<Error/>'), 'url_fetch.url_expired', false],
  ['nothing', (_, reply) => reply.end(), 'url_fetch.invalid_content', false],
  [
    'redirects in circles',
    (_, reply) => reply.writeHead(302, { location: '/again' }).end(),
    'url_fetch.redirect_loop',
    false,
  ],
  [
    'a redirect inwards',
    (_, reply) => reply.writeHead(302, { location: 'https://169.254.169.254/' }).end(),
    'url_fetch.redirect_denied',
    false,
  ],
  [
    'an announced size',
    (_, reply) => reply.writeHead(200, { 'content-length': 3e8 }).write('x'),
    'url_fetch.too_large',
    false,
  ],
  ['silence', () => {}, 'url_fetch.timeout', true],
  ['an error of the server', (_, reply) => reply.writeHead(503).end(), 'url_fetch.http_error', true],
  [
    'a page to sign in',
    (_, reply) => reply.end('<!DOCTYPE html><title>Sign in</title>'),
    'url_fetch.invalid_content',
    false,
  ],
  [
    'a redirect to http',
    (_, reply) => reply.writeHead(302, { location: 'http://files.example/' }).end(),
    'url_fetch.redirect_denied',
    false,
  ],
  [
    'a body without end',
    (_, reply) => void reply.write(Buffer.alloc(3_000_000)),
    'url_fetch.too_large',
    false,
  ],
  [
    'a connection that breaks off',
    (_, reply) => void reply.write('abc', () => reply.destroy()),
    'url_fetch.http_error',
    true,
  ],
]

test.each(few(7, refusals))('%s is refused', async (_name, listener, error, isRetryable) => {
  const { service, origin } = await serviceWith(listener, {
    settings: { answerTimeoutMs: 1000, idleTimeoutMs: 1000 },
    maxFileBytes: 2_000_000,
  })
  expect(await refused(service, post(service, `${origin}/a.jpg`), error, isRetryable)).toMatchObject({
    status: 400,
  })
})

test('a URL without a file name, a file name without a URL, and a URL that leads to a private address', async () => {
  const { service, origin } = await serviceWith((_, reply) => reply.end('fine'), {
    network: {
      resolve: async host => {
        if (host === 'lost.example') throw new Error('ENOTFOUND')
        return [{ address: host === 'inward.example' ? '10.1.1.1' : PUBLIC_ADDRESS, family: 4 }]
      },
    },
  })
  await refused(service, post(service, `${origin}/`), 'url_fetch.no_filename', false)
  await refused(service, post(service, 'https://lost.example/a.jpg'), 'url_fetch.dns_failure', true)
  await refused(service, post(service, 'https://inward.example/a.jpg'), 'url_fetch.private_ip', false)
})

test('everything that can be checked without the file is checked before it is fetched', async () => {
  const listener = vi.fn<RequestListener>((_, reply) => void reply.end('fine'))
  const { service, origin } = await serviceWith(listener)
  const url = `${origin}/a.jpg`
  const errorOf = async (fields: object) => (await json<Answer>(post(service, url, fields))).error
  expect(await errorOf({ targetFormat: 'mp3' })).toBe('convert.unsupported_format_pair')
  expect(await errorOf({ sourceFormat: 'nonsense' })).toBe('convert.unsupported_source_format')
  expect(await errorOf({ options: { quality: 'high' } })).toBe('convert.invalid_options')
  expect(await errorOf({ sourceFormat: undefined })).toBe('url_fetch.missing_source_format')
  expect(listener).not.toHaveBeenCalled()
})

test.each([{ urlInput: false }, { offline: true }])('nothing is fetched with %o', async options => {
  const listener = vi.fn<RequestListener>((_, reply) => void reply.end('fine'))
  const { service, origin } = await serviceWith(listener, options)
  await refused(service, post(service, `${origin}/a.jpg`), 'url_fetch.disabled', false)
  expect(listener).not.toHaveBeenCalled()
})

test('a host that fails five times is not asked again; an account fetches at most four files at once', async () => {
  let broken = true
  let waiting = 0
  const release = Promise.withResolvers<void>()
  const { service, origin } = await serviceWith((_, reply) => {
    if (broken) return void reply.writeHead(500).end()
    waiting++
    void release.promise.then(() => reply.end('fine'))
  })
  for (let attempt = 0; attempt < 5; attempt++) {
    await refused(service, post(service, `${origin}/a.jpg`), 'url_fetch.http_error', true)
  }
  await refused(service, post(service, `${origin}/a.jpg`), 'url_fetch.domain_circuit_open', true)
  const { accounts, keys } = service.services
  const key = (await keys.create((await accounts.create('Other')).id, { name: 'other' })).secret
  const theirs = post(service, `${origin}/a.jpg`, {}, key)
  expect(await json<Answer>(theirs)).toMatchObject({ error: 'url_fetch.http_error' })

  broken = false
  const other = origin.replace('files', 'cdn')
  const four = [1, 2, 3, 4].map(number => post(service, `${other}/${number}.jpg`))
  await vi.waitFor(() => expect(waiting).toBe(4), { timeout: 30_000 })
  const fifth = await post(service, `${other}/5.jpg`)
  expect(fifth.status).toBe(429)
  expect(Number(fifth.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await json<Answer>(fifth)).toMatchObject({ error: 'url_fetch.rate_limited', isRetryable: true })
  release.resolve()
  for (const answer of await Promise.all(four)) expect(answer.status).toBe(202)
})

testFull('an account whose names are never answered keeps no other account waiting', async () => {
  const names = await dnsServer(name => (name === 'files.example' ? [PUBLIC_ADDRESS] : 'silence'))
  const system = () => Promise.reject(new Error('not in /etc/hosts'))
  const { service, origin } = await serviceWith((_, reply) => reply.end('fine'), {
    network: { resolve: nameResolver({ servers: [names.address], system, timeoutMs: 2000 }) },
  })
  const hanging = [1, 2, 3, 4].map(number => post(service, `https://slow${number}.example/a.jpg`))
  await vi.waitFor(() => expect(new Set(names.asked).size).toBe(4))
  const { accounts, keys } = service.services
  const key = (await keys.create((await accounts.create('Other')).id, { name: 'other' })).secret
  const ended = Promise.all(hanging).then(() => 'hanging')
  const fetched = post(service, `${origin}/a.jpg`, {}, key).then(({ status }) => status)
  expect(await Promise.race([fetched, ended])).toBe(202)
  for (const answer of await Promise.all(hanging)) {
    expect(await answer.json()).toMatchObject({ error: 'url_fetch.dns_failure', isRetryable: true })
  }
})

test('a caller that disconnects stops the fetch, leaves no file behind and is not charged', async () => {
  const closed = Promise.withResolvers<void>()
  const { service, origin } = await serviceWith((_, reply) => {
    reply.on('close', () => closed.resolve())
    reply.write(Buffer.alloc(100_000))
  })
  const abort = new AbortController()
  const answer = service.call('/convert', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ inputUrl: `${origin}/a.jpg`, sourceFormat: 'jpg', targetFormat: 'webp' }),
    signal: abort.signal,
  })
  await vi.waitFor(async () => expect(await service.filesLeft()).toHaveLength(1), { timeout: 30_000 })
  abort.abort()
  await expect(answer).rejects.toThrow()
  await closed.promise
  await vi.waitFor(async () => expect(await service.filesLeft()).toEqual([]), { timeout: 30_000 })
  expect(await service.balance()).toBe(500)
})
