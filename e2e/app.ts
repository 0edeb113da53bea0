import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, type Page } from 'playwright/test'

export { expect } from 'playwright/test'

export interface App {
  url: string
  apiKey: string
  page: Page
}

interface Started {
  child: ChildProcess
  url: string
  apiKey: string
  pageUrl: string
}

const main = join(import.meta.dirname, '..', 'dist', 'service', 'main.js')

async function start(home: string): Promise<Started> {
  const child = spawn(process.execPath, [main, '--port', '0', '--home', home, '--open', '--print-key'], {
    env: { ...process.env, REFILE_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', chunk => resolve(String(chunk)))
    child.once('exit', code => reject(new Error(`the service ended with ${code}; is there a build?`)))
  })
  return { child, ...JSON.parse(line) }
}

/** A test with the built service, a data folder of its own, and the app opened in a page; an error in the page fails it. */
export const test = base.extend<{ app: App }>({
  app: async ({ page }, use) => {
    const home = await mkdtemp(join(tmpdir(), 'refile-e2e-'))
    const { child, url, apiKey, pageUrl } = await start(home)
    const problems: string[] = []
    page.on('pageerror', error => problems.push(error.message))
    page.on('console', message => {
      // A refused request shows up here as well; tests that provoke one look at what the page says.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        problems.push(message.text())
    })
    await page.goto(pageUrl)
    await use({ url, apiKey, page })
    const exited = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGTERM')
    await exited
    await rm(home, { recursive: true, force: true })
    if (problems.length > 0) throw new Error(`The page reported: ${problems.join('\n')}`)
  },
})
