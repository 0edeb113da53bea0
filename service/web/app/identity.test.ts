import { expect, onTestFinished, test } from 'vitest'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { CLIENT, type Identity, startProvider } from '../../../testing/servers/identity.ts'
import { json, testService } from '../../../testing/service.ts'
import { loadConfig, SettingError } from '../../shared/config.ts'

const cookieOf = (answer: Response, name: string) =>
  answer.headers
    .getSetCookie()
    .find(cookie => cookie.startsWith(name))
    ?.split(';')[0] ?? ''

/** A service whose members sign in with a provider. */
async function withProvider(options: { oidcNewAccounts?: boolean; oidcClaim?: string } = {}) {
  const provider = await startProvider()
  onTestFinished(() => provider[Symbol.asyncDispose]())
  const service = await testService({
    ...misbehaving,
    outbound: provider.outbound,
    oidcIssuer: provider.issuer,
    oidcClientId: CLIENT.id,
    oidcClientSecret: CLIENT.secret,
    publicUrl: 'https://refile.example',
    ...options,
  })
  const get = (path: string, cookie = '', half = '') =>
    fetch(`${service.url}${path}`, {
      redirect: 'manual',
      headers: { cookie, 'x-service-session': half },
    })
  /** Goes to the provider; returns where to, and what the browser remembers. */
  const begin = async () => {
    const answer = await get('/sign-in/start')
    return {
      url: answer.headers.get('location') ?? '',
      cookie: cookieOf(answer, 'refile_signing_in'),
      answer,
    }
  }
  /** Comes back; returns the status and the session. */
  const end = async (query: string, cookie: string) => {
    const answer = await get(`/sign-in/return?${query}`, cookie)
    const session = cookieOf(answer, 'refile_session')
    const body = await answer.text()
    const [, half] = /content="0;url=\/#session=([\w-]{43})"/.exec(body) ?? []
    return { status: answer.status, session, half, body }
  }
  const signIn = async (identity: Identity = {}) => {
    provider.setIdentity(identity)
    const { url, cookie } = await begin()
    return end(provider.authorize(url), cookie)
  }
  const accountOf = async ({ session, half }: { session: string; half: string | undefined }) =>
    (await json<{ account: { name: string }; isOwner: boolean }>(get('/app/session', session, half))) ?? {}
  const { administration } = service.services
  const create = (name: string) => administration.create(name, { limits: {} })
  return { provider, service, begin, end, signIn, accountOf, create, administration, get }
}

test('whoever the provider vouches for is signed in to the account of that name', async () => {
  const { get, begin, end, provider, create, accountOf } = await withProvider()
  await create('ann@example.com')
  expect(await (await get('/sign-in')).text()).toContain('href="/sign-in/start">Sign in with files.example:')
  const { url, cookie, answer } = await begin()
  expect(answer.headers.getSetCookie()[0]).toMatch(/; HttpOnly; SameSite=Lax; Path=\/sign-in; Max-Age=600$/)
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
    client_id: CLIENT.id,
    redirect_uri: 'https://refile.example/sign-in/return',
    response_type: 'code',
    code_challenge_method: 'S256',
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
  })
  // What the browser keeps tells it nothing.
  expect(Buffer.from(decodeURIComponent(cookie), 'base64').toString()).not.toContain('nonce')
  const query = provider.authorize(url)
  const signedIn = await end(query, cookie)
  expect(signedIn.status).toBe(200)
  expect(await accountOf(signedIn)).toMatchObject({ account: { name: 'ann@example.com' }, isOwner: false })
  // The same way back a second time leads nowhere.
  expect(await end(query, cookie)).toMatchObject({ status: 400, session: '' })
})

test('nobody is signed in by an answer that is not for this service, this browser and this moment', async () => {
  const { begin, end, provider, create, signIn, service } = await withProvider()
  await create('ann@example.com')
  const now = Math.floor(Date.now() / 1000)
  const wrong: Record<string, Identity> = {
    nonce: { claims: { nonce: 'of another sign-in' } },
    'no nonce': { claims: { nonce: undefined } },
    expired: { claims: { exp: now - 60, iat: now - 360 } },
    audience: { claims: { aud: 'another service' } },
    issuer: { claims: { iss: 'https://evil.example' } },
    signature: { isForged: true },
    'address that nobody verified': { claims: { email_verified: false } },
    'address that nobody says is verified': { claims: { email_verified: undefined } },
    'no address': { claims: { email: undefined } },
  }
  for (const [what, identity] of Object.entries(wrong))
    expect(await signIn(identity), what).toMatchObject({ status: 400, session: '' })
  provider.setIdentity({})
  const [mine, others] = [await begin(), await begin()]
  const states: [string, string, string][] = [
    ["another browser's state", provider.authorize(others.url), mine.cookie],
    ['no state', `code=${new URLSearchParams(provider.authorize(mine.url)).get('code')}`, mine.cookie],
    ['nothing begun', provider.authorize(mine.url), ''],
    ['changed', provider.authorize(mine.url), `${mine.cookie.slice(0, -8)}AAAAAAAA`],
    [
      'refused by the provider',
      `error=access_denied&state=${new URL(mine.url).searchParams.get('state')}`,
      mine.cookie,
    ],
    ['wrong code', `code=none&state=${new URL(mine.url).searchParams.get('state')}`, mine.cookie],
  ]
  for (const [what, query, cookie] of states)
    expect(await end(query, cookie), what).toMatchObject({ status: 400, session: '' })
  const { accounts } = service.services.stores
  const real = accounts.now
  Object.assign(accounts, { now: () => real() + 11 * 60_000 })
  expect(await end(provider.authorize(mine.url), mine.cookie), 'too late').toMatchObject({ status: 400 })
  Object.assign(accounts, { now: real })
  expect(await end(provider.authorize(mine.url), mine.cookie)).toMatchObject({ status: 200 })
})

test('people without an account are refused, and so is the name of the owner', async () => {
  const { signIn, create, administration } = await withProvider()
  expect(await signIn()).toMatchObject({ status: 403, session: '' })
  expect(await signIn({ claims: { email: 'Owner' } })).toMatchObject({ status: 403, session: '' })
  await create('ann@example.com')
  expect(await signIn()).toMatchObject({ status: 200 })
  await administration.close('ann@example.com')
  expect(await signIn()).toMatchObject({ status: 403, session: '' })
  expect(await administration.list()).toHaveLength(2)
})

test('an account stays that of the person who opened it first, whatever others call themselves later', async () => {
  const { signIn, create, accountOf } = await withProvider()
  await create('ann@example.com')
  expect(await signIn()).toMatchObject({ status: 200 })
  expect(await signIn({ claims: { sub: 'another' } })).toMatchObject({ status: 403, session: '' })
  const moved = await signIn({ claims: { email: 'ann.b@example.com' } })
  expect(await accountOf(moved)).toMatchObject({ account: { name: 'ann@example.com' } })
})

test('where the owner wants it, people get an account once, and a closed one stays closed', async () => {
  const { signIn, administration, accountOf } = await withProvider({
    oidcNewAccounts: true,
    oidcClaim: 'department',
  })
  // The provider tells this claim only when it is asked for it.
  const both = await Promise.all([signIn(), signIn()])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  for (const signedIn of both)
    expect(await accountOf(signedIn)).toMatchObject({ account: { name: 'Prints' }, balance: 500 })
  expect(await signIn({ claims: { department: 'Owner', sub: 'another' } })).toMatchObject({
    status: 403,
    session: '',
  })
  await administration.close('Prints')
  expect(await signIn()).toMatchObject({ status: 403, session: '' })
  expect((await administration.list()).map(({ name }) => name)).toEqual(['Owner', 'Prints'])
})

test('settings that lack a part are refused', () => {
  const variables = {
    REFILE_OIDC_ISSUER: 'https://login.example',
    REFILE_OIDC_CLIENT_ID: 'refile',
    REFILE_PUBLIC_URL: 'https://refile.example',
  }
  expect(loadConfig({}, variables)).toMatchObject({ oidcIssuer: 'https://login.example', oidcClaim: 'email' })
  for (const left of ['REFILE_OIDC_CLIENT_ID', 'REFILE_PUBLIC_URL'])
    expect(() => loadConfig({}, { ...variables, [left]: '' }), left).toThrow(SettingError)
  expect(() => loadConfig({}, { ...variables, REFILE_OIDC_ISSUER: 'http://login.example' })).toThrow(
    SettingError,
  )
})
