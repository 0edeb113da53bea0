import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, type TestService, testService } from '../../../testing/service.ts'
import { sessionIn } from '../../host/owner.ts'

const adminKey = 'only-the-operator-has-this-key'.padEnd(40, '!')

const asOperator = (service: TestService, path: string, method: string, body?: object) =>
  service.call(`/admin/accounts${path}`, {
    method,
    key: adminKey,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })

/** A service with an account, and a link that signs in to it. */
async function signingIn() {
  const service = await testService({ ...misbehaving, adminKey })
  const { id } = await json<{ id: string }>(asOperator(service, '', 'POST', { name: 'Print shop' }))
  const link = async () => (await json<{ url: string }>(asOperator(service, `/${id}/sign-in`, 'POST'))).url
  return { service, id, link }
}

const redeemed = (url: string, headers = {}) => fetch(url, { method: 'POST', redirect: 'manual', headers })

/** Requests of a page that an answer has signed in. */
const pageOf = (service: TestService, signedIn: Response) => (path: string, method?: string) =>
  service.call(path, { key: null, headers: sessionIn(signedIn), ...(method && { method }) })

test('a link signs one browser in, whoever looks at it before and however many use it at once', async () => {
  const { service, id, link } = await signingIn()
  const url = await link()
  expect(url).toMatch(new RegExp(`^${service.url}/sign-in\\?token=[\\w-]{43}$`))
  // Programs that open links before people do, some of which do as browsers do.
  for (const method of ['HEAD', 'GET', 'GET']) {
    const looked = await fetch(url, { method, redirect: 'manual' })
    expect([looked.status, looked.headers.get('set-cookie')]).toEqual([200, null])
  }
  const answers = await Promise.all(Array.from({ length: 6 }, () => redeemed(url)))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    303, 410, 410, 410, 410, 410,
  ])
  const signedIn = answers.find(({ status }) => status === 303)!
  expect(signedIn.headers.get('location')).toMatch(/^\/#session=[\w-]{43}$/)
  expect(signedIn.headers.get('set-cookie')).toMatch(
    /^refile_session_\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=2592000$/,
  )
  const page = pageOf(service, signedIn)
  expect(await json(page('/app/session'))).toMatchObject({
    account: { id, name: 'Print shop' },
    isOwner: false,
  })
  expect((await page('/app/about')).status).toBe(404)
})

test('a link lasts for 15 minutes by the clock of the store, which has only its hash', async () => {
  const { service, link } = await signingIn()
  const { accounts } = service.services.stores
  const real = accounts.now
  const [late, old] = [await link(), await link()]
  const at = (minutes: number) => Object.assign(accounts, { now: () => real() + minutes * 60_000 })
  at(14.9)
  expect((await redeemed(late)).status).toBe(303)
  at(15.1)
  const over = await redeemed(old)
  expect([over.status, over.headers.get('set-cookie')]).toEqual([410, null])
  expect(await over.text()).toContain('too old')
  const token = new URL(await link()).searchParams.get('token')!
  for (const file of ['refile.sqlite', 'refile.sqlite-wal'])
    expect((await readFile(join(service.home, file))).includes(token)).toBe(false)
})

test('sessions are listed, ended one by one, and all end with their account', async () => {
  const { service, id, link } = await signingIn()
  const [first, second] = [
    pageOf(service, await redeemed(await link())),
    pageOf(service, await redeemed(await link())),
  ]
  const list = await json<{ id: string; isThis: boolean; lastUsedAt: string }[]>(first('/app/sessions'))
  expect(list.map(({ isThis }) => isThis).toSorted((a, b) => Number(a) - Number(b))).toEqual([false, true])
  expect(Math.abs(Date.parse(list[0]!.lastUsedAt) - Date.now())).toBeLessThan(60_000)
  const other = list.find(({ isThis }) => !isThis)!
  // Another account's is not theirs to end.
  const owner = pageOf(service, await fetch(await service.openUrl(), { redirect: 'manual' }))
  expect((await owner(`/app/sessions/${other.id}`, 'DELETE')).status).toBe(404)
  expect((await first(`/app/sessions/${other.id}`, 'DELETE')).status).toBe(204)
  expect([(await second('/app/session')).status, (await first('/app/session')).status]).toEqual([401, 200])

  const out = await first('/app/session', 'DELETE')
  expect(out.headers.get('set-cookie')).toMatch(/^refile_session_\d+=; .*Max-Age=0/)
  expect((await first('/app/session')).status).toBe(401)

  const third = pageOf(service, await redeemed(await link()))
  const unused = await link()
  expect(await json(asOperator(service, `/${id}`, 'DELETE'))).toMatchObject({ sessions: 0 })
  expect((await third('/app/session')).status).toBe(401)
  expect((await redeemed(unused)).status).toBe(410)
  expect((await asOperator(service, `/${id}/sign-in`, 'POST')).status).toBe(404)
  // Whoever has the operator's key is not the owner of the machine.
  const ownersId = (await service.services.accounts.owner()).id
  expect((await asOperator(service, `/${ownersId}/sign-in`, 'POST')).status).toBe(400)
})

/** A request with headers that only browsers send. */
const browsed = (url: string, method: string, headers: Record<string, string>) =>
  new Promise<{ status: number; body: string; policy: unknown }>((resolve, reject) => {
    const sent = request(url, { method, headers }, async answer =>
      resolve({
        status: answer.statusCode ?? 0,
        body: await text(answer),
        policy: answer.headers['content-security-policy'],
      }),
    )
    sent.on('error', reject)
    sent.end()
  })

test('other sites may lead to the page, but not press its button', async () => {
  const { link } = await signingIn()
  const url = await link()
  const fromMail = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  }
  const page = await browsed(url, 'GET', { ...fromMail, 'accept-language': 'de-CH, en;q=0.5' })
  expect(page.body).toContain('<form method="post"><button class="button" autofocus>Anmelden</button>')
  expect(page.policy).toContain("frame-ancestors 'none'")
  for (const wrong of [
    { 'sec-fetch-dest': 'iframe' },
    { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  ])
    expect((await browsed(url, 'GET', { ...fromMail, ...wrong })).status).toBe(403)
  expect((await browsed(new URL('/app/session', url).href, 'GET', fromMail)).status).toBe(403)
  expect((await browsed(url, 'POST', fromMail)).status).toBe(403)
  expect((await browsed(url, 'POST', { origin: 'https://evil.example' })).status).toBe(403)
  const own = { origin: new URL(url).origin, 'sec-fetch-site': 'same-origin' }
  expect((await browsed(url, 'POST', own)).status).toBe(303)
})

test('a link has the address that was asked for, whatever headers a proxy passes on from anybody', async () => {
  const service = await testService({ ...misbehaving, adminKey, trustedProxies: ['127.0.0.1'] })
  await asOperator(service, '', 'POST', { name: 'Ann' })
  const linkWith = async (headers: Record<string, string>) => {
    const answer = service.call('/admin/accounts/Ann/sign-in', { method: 'POST', key: adminKey, headers })
    return new URL((await json<{ url: string }>(answer)).url).origin
  }
  const forwarded = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'javascript' }
  expect(await linkWith(forwarded)).toBe(service.url)
  expect(await linkWith({ 'x-forwarded-proto': 'https' })).toBe(service.url.replace('http', 'https'))
})

test('behind TLS the link has its address, and the cookie is for it alone', async () => {
  const service = await testService({
    ...misbehaving,
    adminKey,
    trustedProxies: ['127.0.0.1'],
    publicUrl: 'https://files.example',
  })
  await asOperator(service, '', 'POST', { name: 'Ann' })
  const { url } = await json<{ url: string }>(asOperator(service, '/Ann/sign-in', 'POST'))
  expect(url).toMatch(/^https:\/\/files\.example\/sign-in\?token=/)
  const here = `${service.url}${new URL(url).pathname}${new URL(url).search}`
  const answer = await redeemed(here, { 'x-forwarded-proto': 'https' })
  expect(answer.headers.get('set-cookie')).toMatch(/; Secure$/)
})
