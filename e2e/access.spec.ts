import { readFile } from 'node:fs/promises'
import { isFull } from '../testing/fixtures/full.ts'
import { type App, expect, test } from './help/app.ts'
import { faultsOf, looks, violationsOf } from './help/faults.ts'
import { fixtures } from './help/fixtures.ts'
import { converted, row } from './help/steps.ts'

/** Some files waiting, some converted, one failed, a paused batch: pages with content. */
async function populate({ page, request, url, apiKey }: App): Promise<void> {
  const headers = { 'x-service-api-key': apiKey }
  for (const [name, content] of [
    ['Holiday.png', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['Broken.png', 'not a picture'],
  ] as const) {
    const form = new FormData()
    form.set('targetFormat', 'jpg')
    form.set('file', new Blob([content]), name)
    await fetch(`${url}/convert`, { method: 'POST', body: form, headers })
  }
  const fileIds = await Promise.all(
    ['One.gif', 'Two.gif'].map(async name => {
      const file = { name, mimeType: 'image/gif', buffer: await readFile(fixtures.gif) }
      const staged = await request.post(`${url}/app/files`, { multipart: { file } })
      return (await staged.json()).id
    }),
  )
  const data = { fileIds, targetFormat: 'webp' }
  const batch = await (await request.post(`${url}/app/batches`, { data })).json()
  await request.post(`${url}/app/batches/${batch.id}/pause`)
  // The desktop shell adds a choice of where results are saved.
  await page.addInitScript(() => Object.assign(globalThis, { refile: { chooseFolder: async () => '/home' } }))
  await page.reload()
  // Until the table is there, its file input is a different one, which disappears.
  await expect(row({ page }, 'One.gif')).toBeVisible()
  await page.getByLabel('Files to convert').setInputFiles([fixtures.jpg, fixtures.wav, fixtures.gif])
  await expect(page.getByRole('button', { name: 'Target of Tuning fork.wav:' })).toBeVisible()
}

test('the main screen is accessible, in light and dark, narrow and wide', async ({ app }) => {
  test.slow()
  const { page } = app
  await populate(app)
  await page.getByRole('button', { name: /^Save to/ }).click()
  for (const [colorScheme, width] of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    expect(await faultsOf(app), `${colorScheme}, ${width} px wide`).toEqual([])
  }
  // Also where the system sets the colours, and of what lies over the page.
  await page.keyboard.press('Escape')
  for (const forcedColors of isFull ? (['none', 'active'] as const) : (['active'] as const)) {
    await page.emulateMedia({ forcedColors, colorScheme: 'dark' })
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible()
    // The page below is dimmed, and nobody has to read it.
    const faults = await violationsOf(page, ['[aria-modal="true"]'])
    expect(faults, `commands, forced colours ${forcedColors}`).toEqual([])
    await page.keyboard.press('Escape')
  }
  // Which colours those are is the system's business.
  expect(await violationsOf(page, [], ['color-contrast']), 'forced colours').toEqual([])
})

test('a file can be converted with the keyboard alone', { tag: '@full' }, async ({ app }) => {
  const { page } = app
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.getByLabel('Files to convert').setInputFiles([fixtures.png])
  await expect(page.getByRole('button', { name: 'Target of Floor plan.png:' })).toBeVisible()
  const tabTo = async (accessibleName: RegExp) => {
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab')
      const focused = await page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
      )
      if (accessibleName.test(focused)) return
    }
    throw new Error(`the keyboard never reaches ${accessibleName}`)
  }
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  // Into the table, down to the file, and over to its target.
  await tabTo(/^Convert everything to/)
  await tabTo(/Images/)
  await page.keyboard.press('ArrowDown')
  await expect(row(app, 'Floor plan.png')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('button', { name: 'Target of Floor plan.png:' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Search formats' })).toBeFocused()
  await page.keyboard.type('jpeg')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Target of Floor plan.png: JPEG' })).toBeFocused()
  await tabTo(/^Convert 1 file/)
  await page.keyboard.press('Enter')
  await converted(app)
  await expect(page.getByRole('link', { name: /^Download Floor plan/ })).toBeVisible()
})

test('without a session the page says how to open it', async ({ page, service }) => {
  await page.goto(service.url)
  await expect(page.getByText('This window is not signed in')).toBeVisible()
})
