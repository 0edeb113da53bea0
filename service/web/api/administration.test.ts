import { expect, test } from 'vitest'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, testService } from '../../../testing/service.ts'

const adminKey = 'a key that nobody ever guesses'.replaceAll(' ', '-').padEnd(40, '!')

test('accounts are listed, created, limited, given credits and closed with the key of the operator', async () => {
  const service = await testService({ ...misbehaving, adminKey })
  const ask = (method: string, path = '', body?: object, key: string | null = adminKey) =>
    service.call(`/admin/accounts${path}`, {
      method,
      key,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
  const made = await ask('POST', '', { name: 'Print shop', credits: 5, open: 1 })
  expect(made.status).toBe(201)
  const { id, key } = await json<{ id: string; key: string }>(made)
  const submitted = async () => (await service.submit('a.jpg', 'sleep', 'webp', {}, key)).status
  expect([await submitted(), await submitted()]).toEqual([202, 429])
  await json(ask('PATCH', `/${id}`, { open: 2, credits: 10 }))
  expect([await submitted(), await submitted()]).toEqual([202, 429])
  expect(await json<object[]>(ask('GET'))).toMatchObject([
    { name: 'Owner', credits: 500, spentThisMonth: 0, running: 6, open: 18, closed: null, sessions: 0 },
    { id, name: 'Print shop', credits: 13, spentThisMonth: 2, running: 6, open: 2 },
  ])
  expect((await ask('POST', '', { name: 'Print shop' })).status).toBe(400)
  for (const wrong of [{ open: 0 }, { running: 1.5 }, { credits: -1 }])
    expect((await ask('PATCH', `/${id}`, wrong)).status, JSON.stringify(wrong)).toBe(400)
  expect((await ask('DELETE', '/nobody')).status).toBe(404)
  expect((await ask('DELETE', '/Owner')).status).toBe(400)
  expect(await json(ask('DELETE', `/${id}`))).toMatchObject({ closed: expect.any(String) })
  expect(await submitted()).toBe(401)
  // Neither an account's key nor none will do, and the operator's is the key of no account.
  for (const other of [service.key, null, `${adminKey}!`])
    expect((await ask('GET', '', undefined, other)).status).toBe(401)
  expect((await service.call('/convert/entitlements/me', { key: adminKey })).status).toBe(401)
})

test('of many who create an account of the same name at once, one does', async () => {
  const { administration } = (await testService(misbehaving)).services
  const create = () => administration.create('Print shop', { limits: {} })
  const tries = await Promise.allSettled(Array.from({ length: 20 }, create))
  const refused = tries.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(19)
  for (const each of refused) expect(each).toMatchObject({ reason: { reason: 'name_taken' } })
  expect((await administration.list()).map(({ name }) => name)).toEqual(['Owner', 'Print shop'])
})

test('there is no such address unless its key is set', async () => {
  const service = await testService(misbehaving)
  expect((await service.call('/admin/accounts')).status).toBe(404)
})
