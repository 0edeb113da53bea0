import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type APIRequestContext, type BrowserContext, test as base, type Page } from 'playwright/test'
import { type Account, accountsOf, type Kind } from './accounts.ts'

export { expect } from 'playwright/test'

export interface App {
  url: string
  apiKey: string
  page: Page
  /** The signed-in browser, for more pages of the same app. */
  context: BrowserContext
  /** Sends requests with the session of the page. */
  request: APIRequestContext
}

interface Service {
  url: string
  /** An account that no test has used. */
  takeAccount(kind: Kind): Account
}

/** The data folder that services start with a copy of. */
export const template = (): string => join(tmpdir(), 'template')

const main = join(import.meta.dirname, '../..', 'dist', 'service', 'main.js')

/** Tests provoke warnings. Converters started for one test serve the next ones, and are no more than the processor runs at once. */
const settings = { REFILE_LOG_LEVEL: 'error', REFILE_SLOTS: '2', REFILE_WORKER_IDLE_SECONDS: '120' }

/** Starts the built service. */
export async function start(
  home: string,
  args: string[] = ['--port', '0', '--open'],
  environment: Record<string, string> = {},
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [main, '--home', home, ...args], {
    // The recycle bin of a test is its own.
    env: { ...process.env, ...settings, XDG_DATA_HOME: join(home, 'share'), ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', chunk => resolve(String(chunk)))
    child.once('exit', code => reject(new Error(`the service ended with ${code}; is there a build?`)))
  })
  return { child, url: JSON.parse(line).url }
}

/**
 * A test with the built service, an account of its own there, and the app opened in a page; an error in the page fails the test.
 */
export const test = base.extend<{ app: App; account: Kind }, { service: Service }>({
  /** The kind of account, set with `test.use`. */
  account: ['usual', { option: true }],

  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it that no other fixture is used.
    async ({}, use) => {
      const home = await mkdtemp(join(tmpdir(), 'refile-e2e-'))
      await cp(template(), home, { recursive: true })
      const accounts = await accountsOf(home)
      const { child, url } = await start(home)
      await use({
        url,
        takeAccount(kind) {
          const account = accounts[kind].pop()
          if (!account) throw new Error(`No account of the kind ${kind} is left.`)
          return account
        },
      })
      const exited = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGTERM')
      await exited
      await rm(home, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],

  app: async ({ context, page, playwright, service, account }, use) => {
    const { url } = service
    const { apiKey, token } = service.takeAccount(account)
    const problems: string[] = []
    context.on('weberror', error => problems.push(error.error().message))
    context.on('console', message => {
      // A refused request shows up here as well; tests that cause one check what the page shows.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        problems.push(message.text())
    })
    await page.goto(`${url}/${account === 'member' ? 'sign-in' : 'open'}?token=${token}`)
    if (account === 'member') await page.getByRole('button').click()
    const half = await page.waitForFunction(() => localStorage.getItem('refile-session') ?? '')
    const request = await playwright.request.newContext({
      storageState: await context.storageState(),
      extraHTTPHeaders: { 'x-service-session': await half.jsonValue() },
    })
    await use({ url, apiKey, page, context, request })
    await request.dispose()
    if (problems.length > 0) throw new Error(`The page reported: ${problems.join('\n')}`)
  },
})
