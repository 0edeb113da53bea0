import type { Page } from 'playwright/test'
import { isFull } from '../testing/fixtures/full.ts'
import { expect, test } from './help/app.ts'
import { violationsOf } from './help/faults.ts'

/** The viewer's own headings, regions, greys and example boxes are not our concern. */
const leftToViewer = ['heading-order', 'region', 'color-contrast', 'scrollable-region-focusable']

const faultsOf = (page: Page) => violationsOf(page, [], leftToViewer)

test('the API reference works alone: no session, no external content, a strict policy', {
  tag: '@full',
}, async ({ app, browser }) => {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 900 },
  })
  const page = await context.newPage()
  const problems: string[] = []
  const foreign: string[] = []
  page.on('console', message => message.type() === 'error' && problems.push(message.text()))
  page.on('request', request => {
    if (!request.url().startsWith(app.url) && !/^(data|blob):/.test(request.url()))
      foreign.push(request.url())
  })
  const answer = await page.goto(`${app.url}/reference`)
  expect(answer?.headers()['content-security-policy']).toContain("script-src 'self';")
  await expect(page.getByRole('heading', { level: 1, name: /Refile/ })).toBeVisible()
  await page.getByText('Submit a file for conversion').click()
  await expect(page.getByRole('combobox', { name: 'Request content type' })).toHaveValue(
    'multipart/form-data',
  )
  for (const colorScheme of isFull ? (['light', 'dark'] as const) : (['dark'] as const)) {
    await page.emulateMedia({ colorScheme })
    expect(await faultsOf(page), colorScheme).toEqual([])
  }
  // What was chosen in the app outdoes the system's theme.
  await app.page.goto(`${app.url}/#/settings/general`)
  await app.page.getByRole('radiogroup', { name: 'Theme' }).getByText('Light').click()
  const kept = await app.page.evaluate(() => ({ ...localStorage }))
  await page.evaluate(kept => void Object.assign(localStorage, kept), kept)
  await page.reload()
  await expect(page.locator('html')).not.toHaveClass('dark-mode')
  expect({ problems, foreign }).toEqual({ problems: [], foreign: [] })
  await context.close()
})
