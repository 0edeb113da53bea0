import { readFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { hostname, networkInterfaces } from 'node:os'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, sharedService, type TestService, testService } from '../../../testing/service.ts'
import { signIn } from '../../host/owner.ts'

const shared = sharedService(misbehaving)

const errorOf = async (answer: Response | Promise<Response>) => {
  const response = await answer
  return { status: response.status, error: (await json<{ error: string }>(response)).error }
}

const unauthorised = { status: 401, error: 'api_key.invalid_or_ip_not_allowed' }
const forbidden = { status: 403, error: 'request.forbidden_origin' }

/** A request with headers that fetch does not allow. */
const raw = (service: TestService, headers: Record<string, string>, path = '/convert/entitlements/me') =>
  new Promise<{ status: number; error: string }>((resolve, reject) => {
    const sent = httpRequest(
      `${service.url}${path}`,
      { headers: { 'x-service-api-key': service.key, ...headers } },
      answer => {
        let body = ''
        answer.on('data', chunk => {
          body += chunk
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, error: JSON.parse(body).error }))
      },
    )
    sent.on('error', reject)
    sent.end()
  })

test('missing, malformed, unknown, expired and revoked keys get the same refusal', async () => {
  const service = shared()
  const { keys, accounts } = service.services
  const owner = (await accounts.owner()).id
  const expired = (await keys.create(owner, { name: 'expired', expiresAt: Date.now() - 1 })).secret
  const revoked = await keys.create(owner, { name: 'revoked' })
  await keys.revoke(owner, revoked.record.id)
  const wrongSecret = `${service.key.slice(0, -4)}AAAA`
  const answers = new Set<string>()
  for (const key of [null, '', 'nonsense', wrongSecret, expired, revoked.secret]) {
    const response = await service.call('/convert/entitlements/me', { key })
    expect(response.status).toBe(401)
    answers.add(await response.text())
  }
  expect(answers.size).toBe(1)
  expect((await service.call('/convert/entitlements/me')).status).toBe(200)
})

test('a key restricted to other addresses is refused, one restricted to this address is accepted', async () => {
  const service = shared()
  const { keys, accounts } = service.services
  const owner = (await accounts.owner()).id
  const locked = async (ipAllowlist: string[]) =>
    (await keys.create(owner, { name: 'locked', ipAllowlist })).secret
  for (const list of [['10.0.0.0/8'], ['203.0.113.7', '2001:db8::/32']]) {
    expect(await errorOf(service.call('/convert/entitlements/me', { key: await locked(list) }))).toEqual(
      unauthorised,
    )
  }
  for (const list of [['127.0.0.1'], ['127.0.0.0/8'], ['10.0.0.0/8', '127.0.0.1/32']]) {
    expect((await service.call('/convert/entitlements/me', { key: await locked(list) })).status).toBe(200)
  }
})

test('neither a key nor any part of its secret is stored', async () => {
  const service = shared()
  const secret = service.key.split('_').slice(2).join('_')
  for (const file of ['refile.sqlite', 'refile.sqlite-wal']) {
    expect((await readFile(`${service.home}/${file}`)).includes(secret)).toBe(false)
  }
})

test("another account's job cannot be accessed in any way", async () => {
  const service = shared()
  const { keys, accounts } = service.services
  const other = (await keys.create((await accounts.create('Other')).id, { name: 'other' })).secret
  const { id } = await json<{ id: string }>(service.submit('a.jpg', 'fine', 'webp'))
  await service.finished(id)
  for (const [path, method] of [
    ['', 'GET'],
    ['/download', 'GET'],
    ['/events', 'GET'],
    ['/cancel', 'POST'],
    ['', 'DELETE'],
  ] as const) {
    const answer = service.call(`/convert/job/${id}${path}`, { method, key: other })
    expect(await errorOf(answer)).toEqual({ status: 403, error: 'jobs.forbidden' })
  }
  expect((await service.call(`/convert/job/${id}/download`)).status).toBe(200)
})

test('unknown and malformed ids are not found', async () => {
  const service = shared()
  for (const id of ['01a1f8e3-15ee-7fe9-ad3a-dcd6a494435e', 'nonsense', '1', '%00', "'--"]) {
    expect(await errorOf(service.call(`/convert/job/${id}`))).toEqual({
      status: 404,
      error: 'jobs.not_found',
    })
  }
})

test('a foreign Host or Origin is refused before anything else is checked', async () => {
  const service = shared()
  const { port } = new URL(service.url)
  for (const host of ['example.com', `example.com:${port}`, '127.0.0.1:1', 'localhost']) {
    expect(await raw(service, { host })).toEqual(forbidden)
  }
  for (const origin of [
    'https://example.com',
    'null',
    `http://127.0.0.1:${Number(port) + 1}`,
    `http://evil.localhost:${port}`,
    `https://127.0.0.1:${port}`,
    `127.0.0.1:${port}`,
    `http://localhost:${port}`,
    `http://127.0.0.1:${port}/`,
    `http://127.0.0.1:${port} http://127.0.0.1:${port}`,
    '',
  ]) {
    expect(await raw(service, { origin })).toEqual(forbidden)
    expect(await raw(service, { origin }, '/health')).toEqual(forbidden)
  }
  for (const site of ['cross-site', 'same-site', 'Cross-Site', 'nonsense']) {
    expect(await raw(service, { 'sec-fetch-site': site })).toEqual(forbidden)
  }
  for (const site of ['none', 'same-origin']) {
    expect(await raw(service, { 'sec-fetch-site': site })).toMatchObject({ status: 200 })
  }
  for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
    expect(await raw(service, { host: `${name}:${port}`, origin: `http://${name}:${port}` })).toMatchObject({
      status: 200,
    })
  }
})

test('requests over the rate are refused with the time to wait', async () => {
  const service = await testService({ ...misbehaving, rateLimit: 1 })
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => service.call('/convert/entitlements/me')),
  )
  const limited = answers.filter(answer => answer.status === 429)
  // Two at once, plus one for each second that a busy machine takes.
  const granted = answers.filter(answer => answer.status === 200).length
  expect(granted).toBeGreaterThanOrEqual(2)
  expect(granted).toBeLessThan(10)
  expect(limited.length).toBe(20 - granted)
  expect(Number(limited[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect((await json(limited[0]!)).error).toBe('rate_limited')
  await Promise.all(answers.slice(1).map(answer => answer.text().catch(() => '')))
  await expect.poll(async () => (await service.call('/convert/entitlements/me')).status).toBe(200)
})

testFull('setting the clock back or forward does not affect the limit', async () => {
  const service = await testService({ ...misbehaving, rateLimit: 50 })
  const clock = vi.spyOn(Date, 'now')
  onTestFinished(() => clock.mockRestore())
  const real = Math.round(performance.timeOrigin + performance.now())
  for (const hours of [0, -2, 100, -1000]) {
    clock.mockReturnValue(real + hours * 3600_000)
    for (let request = 0; request < 5; request++) {
      expect((await service.call('/convert/entitlements/me')).status).toBe(200)
    }
  }
})

test('requests that need no key, and requests with a wrong key, are limited too', async () => {
  const service = await testService({ ...misbehaving, rateLimit: 1 })
  const paths = ['/nowhere', '/health/live', '/openapi.json', '/open?token=x', '/app/session', '/convert/x']
  for (const path of paths) {
    // At once, since a busy machine may take longer for one than the limit asks to wait.
    const asked = Array.from({ length: 12 }, () => service.call(path, { key: 'none', redirect: 'manual' }))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses, path).toContain(429)
  }
})

testFull('the page itself is not rate-limited', async () => {
  const service = await testService({ ...misbehaving, rateLimit: 1 })
  const headers = await signIn(await service.openUrl())
  for (let request = 0; request < 10; request++) {
    expect((await service.call('/app/session', { key: null, headers })).status).toBe(200)
  }
})

test('a service on the network answers under the addresses of this machine', async () => {
  const service = await testService({ ...misbehaving, host: '0.0.0.0', allowedHosts: ['files.example'] })
  const { port } = new URL(service.url)
  const addresses = Object.values(networkInterfaces()).flatMap(found => found ?? [])
  for (const { address, family } of addresses) {
    if (family === 'IPv6') continue
    const answer = await fetch(`http://${address}:${port}/health/live`)
    expect(answer.status).toBe(200)
  }
  for (const host of [`${hostname()}:${port}`, `files.example:${port}`]) {
    expect(await raw(service, { host, origin: `http://${host}` })).toMatchObject({ status: 200 })
  }
  expect(await raw(service, { host: `rebound.example.com:${port}` })).toEqual(forbidden)
})

testFull(
  'behind a proxy that ends TLS, the page is under https and the name that is allowed with its port',
  async () => {
    const service = await testService({
      ...misbehaving,
      allowedHosts: ['files.example:443', 'other.example:8443'],
    })
    for (const host of ['files.example', 'files.example:443', 'other.example:8443']) {
      expect(await raw(service, { host, origin: `https://${host}` })).toMatchObject({ status: 200 })
    }
    for (const [host, origin] of [
      ['files.example', 'http://files.example'],
      ['files.example', 'https://files.example:7421'],
      ['files.example', 'https://other.example:8443'],
      ['other.example', 'https://other.example'],
    ] as const) {
      expect(await raw(service, { host, origin })).toEqual(forbidden)
    }
  },
)

test('the service answers on loopback only', async () => {
  const service = shared()
  expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
})

test('an internal error is reported without details', async () => {
  const service = await testService(misbehaving)
  service.services.funds.available = async () => {
    throw new Error('secret path /home/someone')
  }
  const response = await service.call('/convert/entitlements/me')
  expect(response.status).toBe(500)
  const text = await response.text()
  expect(JSON.parse(text).error).toBe('server.internal_error')
  expect(text).not.toContain('someone')
})

testFull('a repeated error is logged once', async () => {
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: line => void lines.push(line) })
  const service = await testService({ ...misbehaving, log })
  service.services.funds.available = async () => {
    throw new Error(`wrong at ${performance.now()}`)
  }
  for (let request = 0; request < 20; request++) await service.call('/convert/entitlements/me')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('/convert/entitlements/me')
})

test('an unknown address is not found, in the usual error envelope', async () => {
  const service = shared()
  expect(await errorOf(service.call('/nowhere'))).toEqual({ status: 404, error: 'request.not_found' })
})
