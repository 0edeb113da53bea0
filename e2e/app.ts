import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, test as base, type Page } from 'playwright/test'

export { expect } from 'playwright/test'

export interface App {
  url: string
  apiKey: string
  page: Page
  /** The signed-in browser, for more pages of the same app. */
  context: BrowserContext
}

interface Started {
  child: ChildProcess
  url: string
  apiKey: string
  pageUrl: string
}

const main = join(import.meta.dirname, '..', 'dist', 'service', 'main.js')

async function start(home: string, environment: Record<string, string>): Promise<Started> {
  const child = spawn(process.execPath, [main, '--port', '0', '--home', home, '--open', '--print-key'], {
    env: { ...process.env, REFILE_LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', chunk => resolve(String(chunk)))
    child.once('exit', code => reject(new Error(`the service ended with ${code}; is there a build?`)))
  })
  return { child, ...JSON.parse(line) }
}

/**
 * A test with the built service, its own data folder, and the app opened in a page; an error in the page fails the test.
 */
export const test = base.extend<{ app: App; environment: Record<string, string> }>({
  /** Settings of the service, set with `test.use`. */
  environment: [{}, { option: true }],

  app: async ({ context, page, environment }, use) => {
    const home = await mkdtemp(join(tmpdir(), 'refile-e2e-'))
    const { child, url, apiKey, pageUrl } = await start(home, environment)
    const problems: string[] = []
    context.on('weberror', error => problems.push(error.error().message))
    context.on('console', message => {
      // A refused request shows up here as well; tests that cause one check what the page shows.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        problems.push(message.text())
    })
    await page.goto(pageUrl)
    await use({ url, apiKey, page, context })
    const exited = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGTERM')
    await exited
    await rm(home, { recursive: true, force: true })
    if (problems.length > 0) throw new Error(`The page reported: ${problems.join('\n')}`)
  },
})
