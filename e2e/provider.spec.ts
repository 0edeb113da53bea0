import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CLIENT, startProvider } from '../testing/servers/identity.ts'
import { startOidcProvider } from '../testing/servers/oidc-provider.ts'
import { hasPostgres, startPostgres } from '../testing/servers/postgres.ts'
import { expect, start, test } from './help/app.ts'
import { violationsOf } from './help/faults.ts'

/** A port that was free a moment ago: a provider has to know where a service is before it starts. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

/** Starts a host with the role `api` whose members sign in with a provider; `stack` ends both. */
async function startTeam<P extends { issuer: string; ca: string } & AsyncDisposable>(
  stack: AsyncDisposableStack,
  startProvider: (returnUrl: string) => Promise<P>,
): Promise<{ url: string; provider: P; create(name: string): Promise<void> }> {
  const home = stack.adopt(await mkdtemp(join(tmpdir(), 'refile-e2e-')), path =>
    rm(path, { recursive: true }),
  )
  const port = await freePort()
  const provider = stack.use(await startProvider(`http://127.0.0.1:${port}/sign-in/return`))
  const postgres = stack.use(await startPostgres())
  const [authority, blobs] = [join(home, 'authority.pem'), join(home, 'blobs')]
  await Promise.all([writeFile(authority, provider.ca), mkdir(blobs)])
  const adminKey = randomBytes(24).toString('hex')
  const { child, url } = await start(home, ['--role', 'api', '--port', String(port)], {
    REFILE_DATABASE_URL: await postgres.createDatabase(),
    REFILE_SECRETS_KEY: randomBytes(32).toString('base64'),
    REFILE_BLOBS: blobs,
    REFILE_ADMIN_KEY: adminKey,
    REFILE_PUBLIC_URL: `http://127.0.0.1:${port}`,
    REFILE_OIDC_ISSUER: provider.issuer,
    REFILE_OIDC_CLIENT_ID: CLIENT.id,
    REFILE_OIDC_CLIENT_SECRET: CLIENT.secret,
    NODE_EXTRA_CA_CERTS: authority,
  })
  stack.defer(async () => {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  })
  const create = async (name: string) => {
    const headers = { 'x-service-api-key': adminKey, 'content-type': 'application/json' }
    const made = await fetch(`${url}/admin/accounts`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name }),
    })
    expect(made.status).toBe(201)
  }
  return { url, provider, create }
}

test.describe('with a provider of identities', () => {
  test.skip(!hasPostgres, 'Debian’s postgresql has to be installed')
  // The provider has a certificate of its own.
  test.use({ ignoreHTTPSErrors: true })

  test('a person goes there, is refused while it does not vouch for them, and comes back to their account', {
    tag: '@full',
  }, async ({ page }) => {
    await using stack = new AsyncDisposableStack()
    const { url, provider, create } = await startTeam(stack, () => startProvider('localhost'))
    const name = provider.issuer.replace('https://', '')
    const signIn = page.getByRole('link', { name: `Sign in with ${name}` })
    const isSignedIn = async () =>
      (await page.context().cookies(url)).some(each => each.name.startsWith('refile_session'))

    await page.goto(url)
    await page.getByRole('link', { name: 'Sign in to an account' }).click()
    await expect(page.getByText(`Use the account that you have with ${name}.`)).toBeVisible()
    expect(await violationsOf(page)).toEqual([])
    await signIn.click()
    await expect(page).toHaveTitle('Provider')
    await page.getByRole('link', { name: 'Refuse' }).click()
    const failed = page.getByText(`Signing in with ${name} did not work. Try again.`)
    await expect(failed).toBeVisible()
    expect(await violationsOf(page)).toEqual([])

    provider.setIdentity({ isForged: true })
    await signIn.click()
    await page.getByRole('link', { name: 'Go on' }).click()
    await page.waitForURL(/\/sign-in\/return/)
    await expect(failed).toBeVisible()

    provider.setIdentity({})
    await signIn.click()
    await page.getByRole('link', { name: 'Go on' }).click()
    await expect(page.getByText(`${name} knows you, but there is no account for you here.`)).toBeVisible()
    expect(await isSignedIn()).toBe(false)

    await create('ann@example.com')
    await signIn.click()
    await page.getByRole('link', { name: 'Go on' }).click()
    await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible()
    expect(await isSignedIn()).toBe(true)
    await page.goto(`${url}/#/settings/general`)
    await expect(page.getByText('ann@example.com')).toBeVisible()
  })

  test('a provider that others wrote lets a person in', { tag: '@full' }, async ({ page }) => {
    await using stack = new AsyncDisposableStack()
    const { url, provider, create } = await startTeam(stack, startOidcProvider)
    await create('ann@example.com')
    await page.goto(`${url}/sign-in`)
    await page.getByRole('link', { name: `Sign in with ${provider.issuer.replace('https://', '')}` }).click()
    await page.locator('input[name=login]').fill('ann')
    await page.locator('input[name=password]').fill('any')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible()
    await page.goto(`${url}/#/settings/general`)
    await expect(page.getByText('ann@example.com')).toBeVisible()
  })
})
