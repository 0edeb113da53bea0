import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from './help/app.ts'
import { faultsOf } from './help/faults.ts'
import { fixtures } from './help/fixtures.ts'
import { choose, countClicks, delay, row } from './help/steps.ts'

/** By how much what stands in the details moves without anybody's doing. */
function sumShifts(): void {
  let sum = 0
  Object.assign(globalThis, { shiftOfDetails: () => sum })
  new PerformanceObserver(list => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number
      sources: { node: Node | null }[]
    })[]) {
      const isThere = entry.sources.some(({ node }) => node?.parentElement?.closest('aside'))
      if (isThere) sum += entry.value
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

test('one press converts files that are still being read into a folder, and says where they are', {
  tag: '@full',
}, async ({ app }) => {
  const { page, url, request } = app
  const folder = await mkdtemp(join(tmpdir(), 'refile-e2e-press-'))
  const saveTo = { kind: 'folder', folder, name: '', keepFolders: false, keepDates: false, taken: 'number' }
  expect((await request.put(`${url}/app/settings/destination`, { data: saveTo })).ok()).toBe(true)
  const clicks = await countClicks(page)
  await page.addInitScript(sumShifts)
  // The last choices come later than a person could add files.
  await delay(page, '**/app/settings', 500)
  await page.reload()
  // Reading takes longer than pressing the button.
  await delay(page, '**/app/files', 300)
  // The answers to the first requests of each kind are lost on their way.
  const lost = new Set<string>()
  await page.route(/\/app\/batches(\/.*\/files)?$/, async route => {
    const kind = `${route.request().method()} ${route.request().url().endsWith('/files')}`
    if (kind.startsWith('GET') || lost.has(kind)) return route.continue()
    lost.add(kind)
    await route.fetch()
    await route.abort()
  })
  const buffer = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#c63' } })
    .png()
    .toBuffer()
  const names = Array.from({ length: 12 }, (_, index) => `Scan ${index + 1}`)
  await page
    .getByLabel('Files to convert')
    .setInputFiles(names.map(name => ({ name: `${name}.png`, mimeType: 'image/png', buffer })))
  await page.getByRole('button', { name: 'Convert 12 files' }).click()
  expect(await clicks()).toBe(1)
  await expect(page.getByText(/ of 12$/)).toBeVisible()
  await expect(page.getByText(`12 files saved in ${folder}`)).toBeVisible()
  // The files are read, joined, converted and compared, and each time the details have more or less to say.
  expect(await page.evaluate('shiftOfDetails()')).toBeLessThan(0.004)
  expect((await readdir(folder)).toSorted()).toEqual(names.map(name => `${name}.jpg`).toSorted())
  expect(await (await request.get(`${url}/app/batches`)).json()).toMatchObject([
    { state: 'done', counts: { total: 12, succeeded: 12 } },
  ])
  expect([...lost].toSorted()).toEqual(['POST false', 'POST true'])

  // Another format takes three clicks: two for the target and one to convert.
  await choose(app, 'Images', 'WebP')
  await page.getByRole('button', { name: 'Convert 12 files' }).click()
  expect(await clicks()).toBe(4)
  await expect(row(app, 'Scan 12.png')).toContainText('was')
  await expect.poll(() => readdir(folder)).toHaveLength(24)
  await page.getByRole('button', { name: 'Convert more' }).click()
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible()
  await rm(folder, { recursive: true })
})

test('a new folder is created, opened and chosen with three clicks', { tag: '@full' }, async ({ app }) => {
  const { page, url, request } = app
  const folder = await mkdtemp(join(tmpdir(), 'refile-e2e-new-'))
  const saveTo = { kind: 'folder', folder, name: '', keepFolders: false, keepDates: false, taken: 'number' }
  expect((await request.put(`${url}/app/settings/destination`, { data: saveTo })).ok()).toBe(true)
  await page.reload()
  // The name of the result comes while somebody already aims at the button.
  await delay(page, '**/app/destinations/check', 1000)
  await page.getByLabel('Files to convert').setInputFiles(fixtures.svg)
  const button = page.getByRole('button', { name: /^Save to/ })
  await button.click()
  const change = page.getByRole('button', { name: 'Change…' })
  const place = await change.boundingBox()
  await expect(page.getByRole('status').getByText(join(folder, 'Logo.png'))).toBeVisible()
  expect(await change.boundingBox()).toEqual(place)
  await change.click()
  const dialog = page.getByRole('dialog', { name: 'Choose a folder' })
  await expect(dialog.getByText('No folders in here.')).toBeVisible()
  await dialog.getByRole('button', { name: 'New folder' }).click()
  const name = dialog.getByRole('textbox', { name: 'Name of the new folder' })
  await expect(name).toBeFocused()
  await name.fill('a/b')
  await name.press('Enter')
  await expect(dialog.getByText('A folder cannot have this name.')).toBeVisible()
  expect(await faultsOf(app)).toEqual([])
  await name.fill('Logos')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Path' })).toHaveValue(join(folder, 'Logos'))
  await dialog.getByRole('button', { name: 'Save here' }).click()
  await expect(button).toContainText(join(folder, 'Logos', 'Logo.png'))
  expect(await readdir(folder)).toEqual(['Logos'])
  await rm(folder, { recursive: true })
})
