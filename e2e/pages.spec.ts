import { isFull } from '../testing/fixtures/full.ts'
import { type App, expect, test } from './help/app.ts'
import { faultsOf, looks } from './help/faults.ts'

const pages = [
  'history',
  'credits',
  'programs',
  'settings/general',
  'settings/conversions',
  'settings/api',
  'settings/about',
]

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'

/** Submits a file as a program would. */
async function submit(
  url: string,
  key: string,
  name: string,
  content: string,
  target = 'png',
): Promise<number> {
  const form = new FormData()
  form.set('targetFormat', target)
  form.set('file', new Blob([content]), name)
  const headers = { 'x-service-api-key': key }
  return (await fetch(`${url}/convert`, { method: 'POST', body: form, headers })).status
}

/** Converts a file as the page would, and waits for its end. */
async function convert({ url, request }: App, name: string, content: string): Promise<string> {
  const file = { name, mimeType: 'image/svg+xml', buffer: Buffer.from(content) }
  const staged = await (await request.post(`${url}/app/files`, { multipart: { file } })).json()
  const data = { fileIds: [staged.id], targetFormat: 'png' }
  await request.post(`${url}/app/batches`, { data })
  const found = async () => {
    const { items } = await (await request.get(`${url}/app/history`)).json()
    return items.find((job: { inputName: string }) => job.inputName === name)
  }
  await expect.poll(async () => (await found())?.status ?? '').toMatch(/Succeeded|Failed/)
  return (await found()).id
}

test.describe("in the owner's account", () => {
  test.use({ account: 'owner' })

  test('history, credits, programs and settings are accessible, in light and dark, narrow and wide', {
    tag: '@full',
  }, async ({ app }) => {
    test.slow()
    const { page, url, apiKey, request } = app
    const data = { name: 'Scanner', monthlyBudget: 40 }
    const { secret } = await (await request.post(`${url}/app/keys`, { data })).json()
    await submit(url, secret, 'Holiday in the mountains.svg', picture)
    await submit(url, apiKey, 'Broken.svg', '<svg')
    const id = await convert(app, 'Broken too.svg', '<svg')
    await request.post(`${url}/app/jobs/${id}/retry`)
    await convert(app, 'Drawing.svg', picture)
    // A program of the same name is told apart by its key.
    const twin = await (await request.post(`${url}/app/keys`, { data })).json()
    await submit(url, twin.secret, 'Holiday at the sea.svg', picture)
    for (const [index, name] of pages.entries()) {
      await page.goto(`${url}/#/${name}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      for (const [colorScheme, width] of isFull ? looks : [looks[index % looks.length]!]) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 900 })
        if (process.env.REFILE_SHOTS) {
          const path = `${process.env.REFILE_SHOTS}/${name.replace('/', '-')}-${colorScheme}-${width}.png`
          await page.screenshot({ path, fullPage: true })
        }
        expect.soft(await faultsOf(app), `${name}, ${colorScheme}, ${width} px wide`).toEqual([])
      }
    }
  })
})

test('the history can be searched, retrying a file adds an attempt to its row, and a removal can be undone', {
  tag: '@full',
}, async ({ app }) => {
  const { page, url } = app
  await convert(app, 'Summer.svg', picture)
  await convert(app, 'Winter.svg', '<svg')
  await page.goto(`${url}/#/history`)
  const row = (name: string) => page.getByRole('listitem', { name })
  await expect(row('Summer.svg')).toBeVisible()
  for (const width of [768, 360]) {
    await page.setViewportSize({ width, height: 860 })
    const tops = await row('Summer.svg')
      .getByRole('button', { name: /Summer/ })
      .filter({ hasNotText: 'Convert as' })
      .evaluateAll(all => all.map(each => each.getBoundingClientRect().top))
    expect(new Set(tops).size, `symbols on one line at ${width} px`).toBe(1)
    // The name itself is only as wide as its letters.
    const room = row('Summer.svg').getByTitle('Summer.svg', { exact: true }).locator('..')
    const { width: wide = 0 } = (await room.boundingBox()) ?? {}
    expect(wide, `room for the name at ${width} px`).toBeGreaterThan(200)
  }
  await page.setViewportSize({ width: 1200, height: 860 })
  await row('Winter.svg').getByRole('button', { name: 'Convert Winter.svg again' }).click()
  await row('Winter.svg').getByRole('button', { name: '2 attempts for Winter.svg' }).click()
  await expect(page.getByRole('list', { name: 'Attempts for Winter.svg' }).getByRole('listitem')).toHaveCount(
    2,
  )
  const search = page.getByRole('searchbox', { name: 'Search by file name' })
  // In a field, the key of the list of shortcuts is a letter.
  await search.press('?')
  await expect(search).toHaveValue('?')
  await search.fill('summer')
  await expect(row('Winter.svg')).toHaveCount(0)
  await expect(page.getByText('1 conversion', { exact: false }).first()).toBeVisible()
  await row('Summer.svg').getByRole('button', { name: 'Remove Summer.svg from the history' }).click()
  await expect(row('Summer.svg')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row('Summer.svg')).toBeVisible()
  await row('Summer.svg').getByRole('button', { name: 'Convert Summer.svg with other options' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Convert' })).toBeVisible()
  await page.goto(`${url}/#/history`)
  await page.getByRole('button', { name: 'Clear…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(row('Summer.svg')).toHaveCount(0)
})

test('a key gets a budget with a meter, and the ledger can be searched and saved', { tag: '@full' }, async ({
  app,
}) => {
  const { page, url, apiKey, request } = app
  await page.goto(`${url}/#/keys`)
  const keys = page.getByRole('list', { name: 'Keys' })
  await keys.getByRole('button', { name: 'Change the budget of Printed at start' }).click()
  await page.getByLabel('Monthly budget in credits').fill('1')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(keys.getByText('0 of 1 credit this month')).toBeVisible()
  expect(await submit(url, apiKey, 'One.svg', picture)).toBe(202)
  expect(await submit(url, apiKey, 'Two.svg', picture)).toBe(402)
  await page.goto(`${url}/#/programs`)
  await expect(page.getByRole('region', { name: 'Printed at start' })).toBeVisible()
  await page.goto(`${url}/#/credits`)
  await expect(page.getByRole('table', { name: 'Spent by program' })).toContainText('Printed at start')
  await page.getByRole('button', { name: 'As a table' }).click()
  await expect(page.getByRole('cell', { name: '1' }).first()).toBeVisible()
  const ledger = page.getByRole('table', { name: 'Ledger' })
  await page.getByRole('button', { name: 'Top up' }).click()
  await page.getByRole('button', { name: /^Add [\d,]+ credits$/ }).click()
  await expect(ledger.getByRole('row', { name: /Top-up/ })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search the ledger' }).fill('one.svg')
  await expect(ledger.getByRole('row')).toHaveCount(2)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save as CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('refile-ledger.csv')
  const saved = await request.get(download.url())
  expect((await saved.text()).trim().split('\r\n')).toHaveLength(2)
  await page.goto(`${url}/#/settings/api`)
  await page.reload()
  await expect(page.getByRole('list', { name: 'Keys' }).getByText('1 of 1 credit this month')).toBeVisible()
})
