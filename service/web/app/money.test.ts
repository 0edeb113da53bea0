import { expect, test } from 'vitest'
import { openApp } from '../../../testing/app.ts'
import { testFull } from '../../../testing/describe-full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, testService } from '../../../testing/service.ts'
import type { ApiKey, CreatedApiKey, Credits, LedgerEntry, Page } from './types.ts'

const POOR = { ...misbehaving, freeCredits: 0 }

test('a key is refused once its monthly budget is used up, with the rest in the answer', async () => {
  const service = await testService({ ...misbehaving, isApp: true })
  const app = await openApp(service)
  const made = await json<CreatedApiKey>(app.post('/app/keys', { name: 'Scanner', monthlyBudget: 2 }))
  const submit = () => service.submit('a.jpg', 'fine', 'webp', {}, made.secret)
  const left = async () =>
    (await json<{ totalCredits: number }>(service.call('/convert/entitlements/me', { key: made.secret })))
      .totalCredits
  expect(await left()).toBe(2)
  for (let count = 0; count < 2; count++) expect((await submit()).status).toBe(202)
  expect(await left()).toBe(0)
  const refused = await submit()
  expect(refused.status).toBe(402)
  expect(await json(refused)).toEqual({
    error: 'entitlements.insufficient_credits',
    detail: expect.stringContaining('the API key has 0 of 2 left this month'),
  })
  // Other callers of the account continue.
  expect((await service.submit('a.jpg', 'fine', 'webp')).status).toBe(202)
  expect(await json<ApiKey[]>(app.call('/app/keys'))).toContainEqual(
    expect.objectContaining({ id: made.id, monthlyBudget: 2, spentThisMonth: 2 }),
  )
  const change = (id: string, body: object) =>
    app.call(`/app/keys/${id}`, {
      method: 'PATCH',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  expect(await json<ApiKey>(change(made.id, { monthlyBudget: 3 }))).toMatchObject({ monthlyBudget: 3 })
  expect((await submit()).status).toBe(202)
  expect((await change(made.id, { monthlyBudget: -1 })).status).toBe(400)
  expect((await change(made.id, {})).status).toBe(400)
  expect((await change('nobody', { monthlyBudget: null })).status).toBe(404)
  const { byKey } = await json<Credits>(app.call('/app/credits'))
  expect(byKey).toContainEqual({ keyId: made.id, name: 'Scanner', spent: 3, jobs: 3 })
})

test('concurrent requests cannot exceed a budget', async () => {
  const service = await testService(misbehaving)
  const app = await openApp(service)
  const { secret } = await json<CreatedApiKey>(app.post('/app/keys', { name: 'Many', monthlyBudget: 4 }))
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => service.submit('a.jpg', 'fine', 'webp', {}, secret)),
  )
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(4)
  expect(answers.filter(({ status }) => status === 402)).toHaveLength(6)
})

test("the app's account tops itself up if necessary, and the ledger shows it", async () => {
  const service = await testService({ ...POOR, isApp: true })
  const app = await openApp(service)
  const fileIds = await app.stage(Array.from({ length: 8 }, (_, index) => [`${index}.jpg`, 'fine'] as const))
  const batch = await app.createBatch({ fileIds, targetFormat: 'webp' })
  expect((await app.batchIs(batch.id, 'done')).counts).toMatchObject({ succeeded: 8, failed: 0 })
  const { items } = await json<Page<LedgerEntry>>(app.call('/app/ledger?kind=grant'))
  expect(items).toMatchObject([{ kind: 'grant', amount: 500, reason: 'Automatic top-up', jobId: null }])
  expect(await json<Credits>(app.call('/app/credits'))).toMatchObject({
    balance: 492,
    autoTopUp: { on: true, isFixed: false },
  })
  // What a program sends is paid from the same account.
  expect((await service.submit('a.jpg', 'fine', 'webp')).status).toBe(202)
})

testFull(
  'a server does not top up unless its owner chooses so; work waiting for credits then continues',
  async () => {
    const service = await testService(POOR)
    const app = await openApp(service)
    expect((await service.submit('a.jpg', 'fine', 'webp')).status).toBe(402)
    const batch = await app.createBatch({
      fileIds: await app.stage([['a.jpg', 'fine']]),
      targetFormat: 'webp',
    })
    expect((await app.batchIs(batch.id, 'paused')).problem?.code).toBe('entitlements.insufficient_credits')
    const turn = (on: boolean) =>
      app.call('/app/credits/auto-top-up', {
        method: 'PUT',
        body: JSON.stringify({ on }),
        headers: { 'content-type': 'application/json' },
      })
    expect(await json(turn(true))).toEqual({ on: true, isFixed: false })
    await app.batchIs(batch.id, 'done')
    expect(await json(turn(false))).toEqual({ on: false, isFixed: false })
  },
)

test('an account other than the owner’s does not top itself up', async () => {
  const service = await testService({ ...POOR, isApp: true })
  const { accounts, keys } = service.services
  const other = await accounts.create('Other')
  const { secret } = await keys.create(other.id, { name: 'theirs' })
  expect((await service.submit('a.jpg', 'fine', 'webp', {}, secret)).status).toBe(402)
})

test('REFILE_AUTO_TOP_UP overrides the choice', async () => {
  const service = await testService({ ...POOR, isApp: true, autoTopUp: false })
  const app = await openApp(service)
  const changed = await app.call('/app/credits/auto-top-up', {
    method: 'PUT',
    body: JSON.stringify({ on: true }),
    headers: { 'content-type': 'application/json' },
  })
  expect(await json(changed)).toEqual({ on: false, isFixed: true })
  expect((await service.submit('a.jpg', 'fine', 'webp')).status).toBe(402)
})

testFull('the ledger can be searched, and saved as a file that no spreadsheet executes', async () => {
  const service = await testService({ ...misbehaving, freeCredits: 2000 })
  const app = await openApp(service)
  const { stores, accounts } = service.services
  const { id: accountId } = await accounts.owner()
  // More than are read at once.
  for (let count = 0; count < 510; count++) await stores.accounts.topUp(accountId, 1, `Top-up ${count}`)
  const fileIds = await app.stage([['=1+1 "Übersicht", neu.jpg', 'fine']])
  const { id } = await app.convert(fileIds[0], 'webp')
  await app.finished(id)
  const found = await json<Page<LedgerEntry>>(
    app.call(`/app/ledger?search=${encodeURIComponent('übersicht')}`),
  )
  expect(found.items).toMatchObject([{ jobId: id, amount: -1 }])

  const answer = await app.call('/app/ledger.csv')
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
  expect(answer.headers.get('content-disposition')).toContain('refile-ledger.csv')
  const text = await answer.text()
  const lines = text.split('\r\n')
  expect(lines[0]).toBe('id,time,kind,credits,reason,category,job,key')
  expect(lines[1]).toMatch(/,charge,-1,"'=1\+1 ""Übersicht"", neu\.jpg",images,/)
  expect(lines).toHaveLength(1 + 1 + 510 + 1 + 1)
  expect(lines.at(-1)).toBe('')
  expect(new Set(lines.slice(1, -1).map(line => line.split(',')[0])).size).toBe(512)
  const charges = await (await app.call('/app/ledger.csv?kind=charge')).text()
  expect(charges.trim().split('\r\n')).toHaveLength(2)
  expect((await service.call('/app/ledger.csv')).status).toBe(401)
})
