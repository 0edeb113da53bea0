import { statfs } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { fromBuffer } from 'yauzl'
import { openApp } from '../../../testing/app.ts'
import { testFull } from '../../../testing/describe-full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, testService } from '../../../testing/service.ts'
import type { AppJob, CreatedApiKey, Credits, LedgerEntry, Page, Session, StagedFile } from './types.ts'

test('a link opens the app once, with a cookie that no script and no other site can use', async () => {
  const service = await testService(misbehaving)
  const link = await service.openUrl()
  const open = (url: string, headers = {}) => fetch(url, { redirect: 'manual', headers })
  // Programs that look at links, and browsers that load pages which nobody may want to see.
  const looks = [
    await fetch(link, { method: 'HEAD', redirect: 'manual' }),
    await open(link, { 'sec-purpose': 'prefetch;prerender' }),
    await open(link, { purpose: 'prefetch' }),
    await open(link, { 'x-moz': 'prefetch' }),
  ]
  expect(looks.map(({ status, headers }) => [status >= 400, headers.get('set-cookie')])).toEqual(
    Array(4).fill([true, null]),
  )
  const opened = await open(link)
  expect(opened.status).toBe(303)
  expect(opened.headers.get('location')).toMatch(/^\/#session=[\w-]{43}$/)
  expect(opened.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Strict/)
  for (const used of [link, `${service.url}/open?token=guess`]) {
    const { headers } = await open(used)
    expect([headers.get('location'), headers.get('set-cookie')]).toEqual(['/', null])
  }
  // Its holder could sign others in to the account that it is for.
  const member = await service.services.accounts.create('Member')
  const foreign = await service.services.sessions.signInLink(member.id, 60_000)
  expect((await open(`${service.url}/open?token=${foreign}`)).headers.get('set-cookie')).toBeNull()
})

test('the cookie, which browsers send to every port of a host, is worth nothing without what the page keeps', async () => {
  const service = await testService(misbehaving)
  const { session } = await openApp(service)
  const { cookie, 'x-service-session': half } = session
  const other = (await openApp(service)).session['x-service-session']
  const query = `?session=${half}`
  const paths = ['/app/session', '/app/events', '/app/ledger.csv', '/app/preview/files/a/b', '/app/nothing']
  for (const path of [...paths, '/convert/conversions', '/convert/entitlements/me']) {
    const status = async (headers: Record<string, string>, address = path) => {
      const answer = await fetch(`${service.url}${address}`, { headers })
      await answer.body?.cancel()
      return answer.status
    }
    const refused = path === '/app/nothing' ? 404 : 401
    const halves = [{ cookie }, { 'x-service-session': half }, { cookie, 'x-service-session': other }]
    for (const headers of halves as Record<string, string>[])
      expect([path, await status(headers)]).toEqual([path, refused])
    expect([path, await status({}, path + query)]).toEqual([path, refused])
    // In the address where the browser itself asks.
    expect([200, 404]).toContain(await status(session))
    expect([200, 404]).toContain(await status({ cookie }, path + query))
  }
})

test('first-party routes accept the session but no API key; contract routes accept both', async () => {
  const service = await testService(misbehaving)
  const app = await openApp(service)
  expect(await json<Session>(app.call('/app/session'))).toMatchObject({
    balance: 500,
    account: { name: 'Owner' },
    formatNames: { jpg: 'JPEG', webp: 'WebP', docx: 'Word', 'pdf-ocr': 'PDF/A, searchable' },
  })
  expect((await app.call('/convert/entitlements/me')).status).toBe(200)
  for (const path of ['/app/session', '/app/keys', '/app/jobs', '/app/ledger', '/app/events']) {
    const answer = await service.call(path)
    expect({ status: answer.status, error: (await json(answer)).error }).toEqual({
      status: 401,
      error: 'session.required',
    })
  }
})

test('a dropped file is recognised, priced, converted, kept for a retry, and removed', async () => {
  const service = await testService(misbehaving)
  const app = await openApp(service)
  const dropped = await app.drop('a.jpg', 'fine')
  expect(dropped.status).toBe(201)
  const file = await json<StagedFile>(dropped)
  expect(file).toMatchObject({ name: 'a.jpg', bytes: 4, format: 'jpg', formatLabel: 'JPEG', problem: null })
  expect(file.targets.map(choice => choice.target).toSorted()).toEqual([
    ...[
      'avif',
      'bmp',
      'docx',
      'exr',
      'gif',
      'heic',
      'html',
      'icns',
      'ico',
      'jp2',
      'jpg',
      'jxl',
      'md',
      'pdf',
      'pdf-ocr',
      'pdfa',
    ],
    ...['png', 'qoi', 'svg', 'tga', 'tiff', 'txt', 'webp'],
  ])
  expect(file.targets.find(choice => choice.target === 'webp')).toMatchObject({
    credits: 1,
    job: 'image.jpg-to-webp',
  })

  const { id } = await app.convert(file.id, 'webp', { quality: 50 })
  expect(await app.finished(id)).toMatchObject({
    status: 'Succeeded',
    percent: 100,
    origin: 'app',
    canRetry: true,
    target: 'webp',
    targetLabel: 'WebP',
    output: { fileName: 'a.out', fileCount: 1 },
  })
  expect(await (await app.call(`/convert/job/${id}/download`)).text()).toMatch(/^fine/)

  const again = await json<AppJob>(app.post(`/app/jobs/${id}/retry`, {}))
  expect((await app.finished(again.id))?.status).toBe('Succeeded')
  expect((await app.post('/app/files/remove', { ids: [file.id] })).status).toBe(204)
  expect((await app.job(id))?.canRetry).toBe(false)
  expect((await app.post(`/app/jobs/${id}/retry`, {})).status).toBe(400)
  expect((await app.call(`/app/history/${id}`, { method: 'DELETE' })).status).toBe(204)
  expect(await app.job(id)).toBeUndefined()
})

testFull(
  'files added but not submitted are listed for a reopened page, with the targets that many have once',
  async () => {
    const service = await testService(misbehaving)
    const app = await openApp(service)
    const first = await json<StagedFile>(app.drop('a.jpg', 'fine'))
    const second = await json<StagedFile>(app.drop('b.jpg', 'fine'))
    expect(await json(app.call('/app/files'))).toEqual({
      files: [
        { ...first, targets: 0 },
        { ...second, targets: 0 },
      ],
      targets: [first.targets],
    })
    await app.convert(first.id, 'webp')
    expect(await app.waiting()).toEqual([{ ...second, targets: 0 }])
  },
)

test('an unknown file can be dropped, but has no targets', async () => {
  const service = await testService(misbehaving)
  const app = await openApp(service)
  expect(await json<StagedFile>(app.drop('notes.xyz', 'text'))).toMatchObject({ format: null, targets: [] })
  const empty = await app.drop('a.jpg', '')
  expect({ status: empty.status, error: (await json(empty)).error }).toEqual({
    status: 400,
    error: 'request.empty_file',
  })
})

testFull('unused dropped files are deleted after a while', async () => {
  const service = await testService({ ...misbehaving, retentionSeconds: 1 })
  const app = await openApp(service)
  await app.drop('a.jpg', 'fine')
  expect(await service.filesLeft()).toHaveLength(1)
  await expect.poll(() => service.filesLeft()).toEqual([])
})

testFull(
  'the result of a person is kept for a day while there is room, that of a program as long as the contract says',
  async () => {
    const service = await testService(misbehaving)
    const app = await openApp(service)
    const file = await json<StagedFile>(app.drop('a.jpg', 'fine'))
    await app.finished((await app.convert(file.id, 'webp')).id)
    await service.finished((await json<{ id: string }>(service.submit('a.jpg', 'fine', 'webp'))).id)
    const { items } = await json<Page<AppJob>>(app.call('/app/jobs'))
    const hours = items.map(({ origin, finishedAt, expiresAt }) => [
      origin,
      Math.round((Date.parse(expiresAt ?? '') - Date.parse(finishedAt ?? '')) / 3600_000),
    ])
    const { bavail, bsize } = await statfs(service.home)
    expect(Object.fromEntries(hours)).toEqual({ api: 1, app: bavail * bsize >= 10e9 ? 24 : 1 })
  },
)

testFull('the outputs of several jobs are delivered as one ZIP with unique names', async () => {
  const service = await testService(misbehaving)
  const app = await openApp(service)
  const ids: string[] = []
  for (let count = 0; count < 2; count++) {
    const file = await json<StagedFile>(app.drop('a.jpg', 'fine'))
    const { id } = await app.convert(file.id, 'webp')
    await app.finished(id)
    ids.push(id)
  }
  const answer = await app.call(`/app/download?ids=${ids.join(',')}`)
  expect(answer.headers.get('content-type')).toBe('application/zip')
  const bytes = Buffer.from(await answer.arrayBuffer())
  const names = await new Promise<string[]>((resolve, reject) =>
    fromBuffer(bytes, (error, zip) => {
      if (error) return reject(error)
      const found: string[] = []
      zip.on('entry', entry => found.push(entry.fileName))
      zip.on('end', () => resolve(found))
    }),
  )
  expect(names).toEqual(['a.out', 'a (2).out'])
})

test('credits: balance, ledger, spending, top-up', async () => {
  const service = await testService(misbehaving)
  const app = await openApp(service)
  for (const behaviour of ['fine', 'throw']) {
    const file = await json<StagedFile>(app.drop('a.jpg', behaviour))
    const { id } = await app.convert(file.id, 'webp')
    await app.finished(id)
  }
  expect(await json(app.post('/app/credits/top-up', { amount: 100 }))).toEqual({ balance: 599 })
  expect((await app.post('/app/credits/top-up', { amount: -5 })).status).toBe(400)
  expect(await json<Credits>(app.call('/app/credits?days=7'))).toMatchObject({
    balance: 599,
    spent: 1,
    byCategory: [{ category: 'images', spent: 1, jobs: 1 }],
  })
  const first = await json<Page<LedgerEntry>>(app.call('/app/ledger?limit=2'))
  expect(first.items.map(entry => [entry.kind, entry.amount])).toEqual([
    ['top-up', 100],
    ['refund', 1],
  ])
  const rest = await json<Page<LedgerEntry>>(app.call(`/app/ledger?limit=50&before=${first.next}`))
  expect(rest.items.map(entry => entry.kind)).toEqual(['charge', 'charge', 'grant'])
  expect(rest.next).toBeNull()
})

test('keys: created, listed without the secret, used, revoked', async () => {
  const service = await testService(misbehaving)
  const app = await openApp(service)
  const made = await app.post('/app/keys', {
    name: 'Build server',
    ipAllowlist: ['127.0.0.0/8'],
    guest: true,
  })
  expect(made.status).toBe(201)
  const key = await json<CreatedApiKey>(made)
  expect((await service.call('/convert/entitlements/me', { key: key.secret })).status).toBe(200)
  const listed = await (await app.call('/app/keys')).text()
  expect(listed).toContain('Build server')
  expect(listed).not.toContain(key.secret)
  expect((await app.call(`/app/keys/${key.id}`, { method: 'DELETE' })).status).toBe(204)
  expect((await service.call('/convert/entitlements/me', { key: key.secret })).status).toBe(401)
  expect((await app.post('/app/keys', { name: 'x', ipAllowlist: ['example.com'] })).status).toBe(400)
  expect((await app.post('/app/keys', { name: 'x', expiresAt: '2001-01-01T00:00:00Z' })).status).toBe(400)
  expect((await app.post('/app/keys', { name: '' })).status).toBe(400)
})

testFull('progress is sent to every stream without reading the job', async () => {
  const service = await testService(misbehaving)
  const app = await openApp(service)
  const { stores, accounts } = service.services
  const { id: accountId } = await accounts.owner()
  const { id } = await json<{ id: string }>(service.submit('a.jpg', 'sleep', 'webp'))
  const stop = new AbortController()
  const texts = ['', '']
  const streams = [
    await app.call('/app/events', { signal: stop.signal }),
    await service.call(`/convert/job/${id}/events`, { signal: stop.signal }),
  ]
  const reading = streams.map(async (stream, index) => {
    for await (const chunk of stream.body ?? []) texts[index] += Buffer.from(chunk as Uint8Array).toString()
  })
  const tick = (percent: number) => {
    const progress = { percent, phase: 'converting', eta: null, warnings: [] } as const
    stores.events.publish({ type: 'progress', accountId, jobId: id, progress: { ...progress, warnings: [] } })
  }
  const isSent = (percent: number) =>
    expect.poll(() => texts.map(text => text.includes(`"percent":${percent},`))).toEqual([true, true])
  await expect.poll(async () => (await stores.jobs.get(id))?.status).toBe('Running')
  tick(7)
  await isSent(7)
  const reads = [vi.spyOn(stores.jobs, 'get'), vi.spyOn(stores.files, 'existing')]
  for (let percent = 10; percent < 90; percent++) tick(percent)
  await isSent(89)
  expect(reads.map(read => read.mock.calls.length)).toEqual([0, 0])
  await service.call(`/convert/job/${id}/cancel`, { method: 'POST' })
  await expect.poll(() => texts[0]).toContain('"status":"Canceled"')
  stop.abort()
  await Promise.allSettled(reading)
})

testFull('changes are sent as they happen', async () => {
  const service = await testService(misbehaving)
  const app = await openApp(service)
  const stop = new AbortController()
  const stream = await app.call('/app/events', { signal: stop.signal })
  let received = ''
  const reading = (async () => {
    for await (const chunk of stream.body ?? []) received += Buffer.from(chunk as Uint8Array).toString()
  })().catch(() => {})
  const file = await json<StagedFile>(app.drop('a.jpg', 'fine 100'))
  const { id } = await app.convert(file.id, 'webp')
  await expect.poll(() => received).toContain('"status":"Succeeded"')
  await app.call(`/app/history/${id}`, { method: 'DELETE' })
  await expect.poll(() => received).toContain('event: removed')
  expect(received).toContain('event: balance\ndata: {"balance":499}')
  expect(received).toContain('"status":"Running"')
  // What a failed job has cost comes back.
  await app.convert((await json<StagedFile>(app.drop('b.jpg', 'fail-with-cause'))).id, 'webp')
  await expect.poll(() => received).toMatch(/"status":"Failed".*"balance":499}/s)
  stop.abort()
  await reading
})
