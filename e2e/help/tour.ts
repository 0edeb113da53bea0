import { basename } from 'node:path'
import type { Page } from 'playwright/test'
import { expect } from './app.ts'
import { violationsOf } from './faults.ts'
import { choose, convert, row } from './steps.ts'

/** Drops files on the middle of the window, as the system does: the page gets them with their paths. */
async function dropFiles(page: Page, paths: string[]): Promise<void> {
  const { innerWidth, innerHeight } = await page.evaluate(() => ({
    innerWidth: globalThis.innerWidth,
    innerHeight: globalThis.innerHeight,
  }))
  const session = await page.context().newCDPSession(page)
  const at = { x: innerWidth / 2, y: innerHeight / 2 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', {
      type,
      ...at,
      data: { items: [], files: paths, dragOperationsMask: 1 },
    })
    // The page has changed under the pointer by then.
    if (type === 'dragEnter') await expect(page.getByText('Drop to add them')).toBeVisible()
  }
  await session.detach()
}

/**
 * What a person does first: drop a picture, convert it to JPEG, compare the result with the original.
 * @param screenshot where the comparison is kept
 */
export async function tour(page: Page, picture: string, screenshot: string): Promise<void> {
  const name = basename(picture)
  const app = { page }
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible()
  expect(await violationsOf(page)).toEqual([])
  await dropFiles(page, [picture])
  await choose(app, name, 'JPEG')
  await convert(app, 1)
  await row(app, name).hover()
  await page.getByRole('button', { name: /^Compare .* with the original$/ }).click()
  const dialog = page.getByRole('dialog', { name: `Compare ${name}` })
  await expect(dialog.getByRole('slider', { name: 'Boundary between before and after' })).toBeVisible()
  await expect(dialog.getByText(/difference/i)).toBeVisible()
  expect(await violationsOf(page, ['[role=dialog]'])).toEqual([])
  await page.screenshot({ path: screenshot })
}
