import { expect, test } from 'vitest'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, testService } from '../../../testing/service.ts'
import { sessionHeaders } from '../http/caller.ts'

test('the owner manages accounts from the page, and nobody else does', async () => {
  const service = await testService(misbehaving)
  const { accounts, sessions } = service.services
  const pageOf = async (accountId: string, role: 'owner' | 'member') => {
    const token = await sessions.start({ accountId, role })
    return (method: string, path: string, body?: object) =>
      service.call(path, {
        method,
        key: null,
        headers: {
          ...sessionHeaders(new URL(service.url).host, token),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
  }
  const owner = await pageOf((await accounts.owner()).id, 'owner')
  const made = await owner('POST', '/app/accounts', { name: 'Print shop', credits: 5 })
  expect(made.status).toBe(201)
  const { id, key } = await json<{ id: string; key: string }>(made)
  expect((await service.submit('a.jpg', 'sleep', 'webp', {}, key)).status).toBe(202)
  expect(await json(owner('PATCH', `/app/accounts/${id}`, { credits: 3, open: 4 }))).toMatchObject({
    credits: 7,
    open: 4,
  })
  expect(await json(owner('GET', '/app/session'))).toMatchObject({ isOwner: true })

  const theirs = await pageOf(id, 'member')
  expect(await json(theirs('GET', '/app/session'))).toMatchObject({ isOwner: false })
  for (const [method, path, body] of [
    ['GET', '/app/accounts'],
    ['POST', '/app/accounts', { name: 'Mine' }],
    ['PATCH', `/app/accounts/${id}`, { credits: 100 }],
    ['DELETE', `/app/accounts/${id}`],
  ] as const)
    expect((await theirs(method, path, body)).status, method).toBe(404)
  // Keys open it for nobody, the owner's own included.
  for (const other of [service.key, key])
    expect((await service.call('/app/accounts', { key: other })).status).toBe(401)
  expect(await json(owner('DELETE', `/app/accounts/${id}`))).toMatchObject({ closed: expect.any(String) })
  expect((await theirs('GET', '/app/session')).status).toBe(401)
})
