import type { Locator, Page } from 'playwright/test'
import { type App, expect } from './app.ts'

/** The line of a file in the table. */
export const row = ({ page }: Pick<App, 'page'>, name: string): Locator =>
  page.getByRole('row').filter({ has: page.getByTitle(name, { exact: true }) })

/** Chooses the target of a file, or of a whole group such as `Images`. */
export async function choose({ page }: Pick<App, 'page'>, name: string, target: string): Promise<void> {
  await page.getByRole('button', { name: `Target of ${name}:` }).click()
  const search = page.getByRole('combobox', { name: 'Search formats' })
  await expect(search).toBeFocused()
  await search.fill(target)
  await page.getByRole('option', { name: target }).first().click()
  await expect(search).toBeHidden()
}

/** Presses Convert once it shows this number of files. */
export const convert = ({ page }: Pick<App, 'page'>, files: number): Promise<void> =>
  page.getByRole('button', { name: `Convert ${files} ${files === 1 ? 'file' : 'files'}` }).click()

/** Waits until all has been converted, however long a machine takes that does other things as well. */
export const converted = ({ request, url }: App): Promise<void> => {
  const states = async () => {
    const batches: { state: string }[] = await (await request.get(`${url}/app/batches`)).json()
    return batches.map(({ state }) => state)
  }
  return expect.poll(async () => new Set(await states()), { timeout: 0 }).toEqual(new Set(['done']))
}

/** Follows the link of the navigation to a page. */
export const goTo = ({ page }: Pick<App, 'page'>, name: string): Promise<void> =>
  page
    .getByRole('navigation')
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click()

/** Delays the requests for a path, in milliseconds. */
export const delay = (page: Page, path: string, ms: number): Promise<unknown> =>
  page.route(path, async route => {
    await new Promise(resolve => setTimeout(resolve, ms))
    await route.continue()
  })

/** Counts how often the person presses the pointer from now on, and anew after each load of the page. Returns how often it was. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  const count = `addEventListener('pointerdown', event => event.isTrusted && (window.clicks = (window.clicks ?? 0) + 1), true)`
  await page.addInitScript(count)
  await page.evaluate(count)
  return () => page.evaluate('window.clicks ?? 0')
}
