import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Locator } from 'playwright/test'
import sharp from 'sharp'
import { type App, expect, test } from './help/app.ts'
import { sidewaysOf } from './help/faults.ts'
import { fixtures } from './help/fixtures.ts'
import { choose, convert, converted, delay, goTo, row } from './help/steps.ts'

/** Chooses a size of the picture. */
const setSize = (details: Locator, size: string): Promise<void> =>
  details.getByRole('button', { name: size, exact: true }).click()

/** A drop of files from the desktop, as the page sees it, or a paste. */
async function drop(app: App, paths: string[], isPasted = false): Promise<void> {
  const files = await Promise.all(
    paths.map(async path => ({ name: basename(path), content: (await readFile(path)).toString('base64') })),
  )
  await app.page.evaluate(
    ({ files, isPasted }) => {
      const data = new DataTransfer()
      for (const { name, content } of files) {
        data.items.add(new File([Uint8Array.from(atob(content), char => char.charCodeAt(0))], name))
      }
      const target = document.querySelector('main') ?? document.body
      const common = { bubbles: true, cancelable: true }
      if (isPasted) target.dispatchEvent(new ClipboardEvent('paste', { ...common, clipboardData: data }))
      else
        for (const type of ['dragenter', 'dragover', 'drop'])
          target.dispatchEvent(new DragEvent(type, { ...common, dataTransfer: data }))
    },
    { files, isPasted },
  )
}

test('drop and paste five files of five formats, set options, watch, cancel one, download all, and see the ledger change', async ({
  app,
}) => {
  const { page } = app
  // Unlike a click, a dispatched event does not wait for the page to listen.
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible()
  await drop(app, [fixtures.jpg, fixtures.png, fixtures.gif])
  await drop(app, [fixtures.svg], true)
  await page.getByLabel('Files to convert').setInputFiles(fixtures.long)
  await expect(row(app, 'Long lecture.wav')).toBeVisible()

  // Only possible targets are offered.
  await page.getByRole('button', { name: 'Target of Logo.svg:' }).click()
  await expect(page.getByRole('option', { name: 'PNG' })).toBeVisible()
  await expect(page.getByRole('option', { name: 'MP3' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await choose(app, 'Harbour at dusk.jpg', 'WebP')
  await choose(app, 'Floor plan.png', 'JPEG')
  await choose(app, 'Traffic light.gif', 'WebP')
  await choose(app, 'Logo.svg', 'PNG')
  await choose(app, 'Long lecture.wav', 'Opus')

  // The options come from the conversion's schema.
  await page.getByTitle('Harbour at dusk.jpg', { exact: true }).click()
  const details = page.getByRole('complementary', { name: 'Details' })
  await expect(details.getByRole('heading', { name: 'JPEG to WebP' })).toBeVisible()
  await setSize(details, '720p')

  await convert(app, 5)
  await expect(page.getByRole('progressbar', { name: 'Progress of Long lecture.wav' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel Long lecture.wav' }).click()
  await expect(row(app, 'Long lecture.wav')).toContainText('Canceled')
  for (const name of ['Harbour at dusk.webp', 'Floor plan.jpg', 'Traffic light.webp', 'Logo.png']) {
    await expect(page.getByRole('link', { name: `Download ${name}` })).toBeVisible()
  }

  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download all' }).click()
  const archive = await (await saving).path()
  const names = execFileSync('unzip', ['-Z1', archive]).toString().trim().split('\n').toSorted()
  expect(names).toEqual(['Floor plan.jpg', 'Harbour at dusk.webp', 'Logo.png', 'Traffic light.webp'])
  const webp = execFileSync('unzip', ['-p', archive, 'Harbour at dusk.webp'], { maxBuffer: 1e8 })
  expect(await sharp(webp).metadata()).toMatchObject({ format: 'webp', width: 1280, height: 960 })
  const animated = execFileSync('unzip', ['-p', archive, 'Traffic light.webp'], { maxBuffer: 1e8 })
  expect((await sharp(animated, { animated: true }).metadata()).pages).toBe(3)

  await goTo(app, 'Credits')
  await expect(page.getByRole('row', { name: /Refund.*Long lecture\.wav.*12/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /Charge.*Harbour at dusk\.jpg.*1/ })).toBeVisible()
})

test('a converted file can get another target, and rows never change their positions', {
  tag: '@full',
}, async ({ app }) => {
  const { page } = app
  await page.getByLabel('Files to convert').setInputFiles([fixtures.webp, fixtures.png, fixtures.gif])
  const names = () =>
    page
      .getByRole('grid')
      .getByRole('rowheader')
      .locator('[title]')
      .evaluateAll(all => all.map(each => each.getAttribute('title')))
  const order = ['Floor plan.png', 'Poster.webp', 'Traffic light.gif']
  const shown = async () => (await names()).filter(name => order.includes(name ?? ''))
  await choose(app, 'Poster.webp', 'PNG')
  await convert(app, 3)
  await expect(page.getByRole('link', { name: 'Download Poster.png' })).toBeVisible()
  await expect.poll(shown).toEqual(order)
  await choose(app, 'Poster.webp', 'JPEG')
  await convert(app, 1)
  await expect(page.getByRole('link', { name: 'Download Poster.jpg' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('link', { name: 'Download Poster.jpg' })).toBeVisible()
  await expect(row(app, 'Traffic light.gif')).toBeVisible()
  await expect.poll(shown).toEqual(order)
})

test('a damaged file fails with what happened and what to do, is refunded, and can be tried again', async ({
  app,
}) => {
  const { page } = app
  // The header alone, without a pixel.
  const bytes = (await readFile(fixtures.jpg)).subarray(0, 150)
  await page
    .getByLabel('Files to convert')
    .setInputFiles({ name: 'Broken.jpg', mimeType: 'image/jpeg', buffer: bytes })
  await choose(app, 'Images', 'PNG')
  await convert(app, 1)
  await expect(row(app, 'Broken.jpg')).toContainText('The file is damaged')
  // The bar leads to it, also with the keyboard.
  await page.getByRole('button', { name: '1 file failed' }).press('Enter')
  await expect(row(app, 'Broken.jpg')).toBeFocused()
  await expect(row(app, 'Broken.jpg')).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('button', { name: 'Convert Broken.jpg again' }).click()
  await goTo(app, 'Credits')
  await expect(page.getByRole('row', { name: /Refund.*Broken\.jpg/ })).toHaveCount(2)
})

test('a row shows a long name whole, and keeps its height when its file fails; the bar below breaks no word', {
  tag: '@full',
}, async ({ app }) => {
  const { page } = app
  await page.setViewportSize({ width: 1280, height: 800 })
  const broken = (await readFile(fixtures.jpg)).subarray(0, 150)
  const name = 'Second evening in the harbour of Genoa, 31.jpg'
  await page.getByLabel('Files to convert').setInputFiles([
    { name, mimeType: 'image/jpeg', buffer: await readFile(fixtures.jpg) },
    { name: 'Broken.jpg', mimeType: 'image/jpeg', buffer: broken },
  ])
  const heights = () =>
    Promise.all([name, 'Broken.jpg'].map(async each => (await row(app, each).boundingBox())?.height))
  const isWhole = () =>
    row(app, name)
      .getByTitle(name)
      .first()
      .evaluate(
        ({ firstElementChild: words, clientWidth, clientHeight }) =>
          words !== null && words.scrollWidth <= clientWidth && words.clientHeight <= clientHeight,
      )
  await expect.poll(heights).toEqual([64, 64])
  expect(await isWhole()).toBe(true)
  await convert(app, 2)
  await converted(app)
  const said = page.getByText('1 converted · 1 failed').last()
  await expect(said).toBeVisible()
  await page.getByRole('button', { name: '1 failed' }).click()
  await expect(row(app, 'Broken.jpg')).toBeFocused()
  expect(await heights()).toEqual([64, 64])
  await page.getByLabel('Files to convert').setInputFiles(fixtures.png)
  await expect(page.getByRole('button', { name: 'Convert 1 file', exact: true })).toBeEnabled()
  expect((await said.boundingBox())?.height).toBeLessThan(50)
  expect(await sidewaysOf(page)).toBe(0)
})

test('long names of results squeeze no words of the bar', {
  tag: '@full',
}, async ({ app }) => {
  const { page } = app
  await page.setViewportSize({ width: 1024, height: 768 })
  const name = 'Beach with a very long name that goes on and on, summer 2024 (edited).jpg'
  const text = { mimeType: 'image/jpeg', buffer: Buffer.from('A note, renamed by mistake.\n') }
  for (let nth = 0; nth < 2; nth++) await page.getByLabel('Files to convert').setInputFiles(fixtures.long)
  await page.getByLabel('Files to convert').setInputFiles({ name, ...text })
  await page.getByLabel('Files to convert').setInputFiles({ name: 'Logo.svg', ...text })
  const smaller = page.getByRole('button', { name: 'Make it smaller' })
  await smaller.click()
  const left = page.getByText('3 files stay as they are')
  await expect(left).toBeVisible()
  expect((await left.boundingBox())?.height).toBeLessThan(50)
})

test('files that cannot be converted are collapsed into one line, with the reason of each', {
  tag: '@full',
}, async ({ app }) => {
  const { page } = app
  const notes = { name: 'notes.xyz', mimeType: 'text/plain', buffer: Buffer.from('text') }
  await page.getByLabel('Files to convert').setInputFiles([fixtures.png])
  await page.getByLabel('Files to convert').setInputFiles([notes])
  await page.getByRole('button', { name: 'Expand 1 file cannot be converted' }).click()
  await expect(row(app, 'notes.xyz')).toContainText('No conversion starts from this kind of file.')
})

test('a removal can be undone, and the focus moves to the next file', { tag: '@full' }, async ({ app }) => {
  const { page } = app
  await page.getByLabel('Files to convert').setInputFiles([fixtures.webp, fixtures.png, fixtures.gif])
  const names = ['Poster.webp', 'Floor plan.png', 'Traffic light.gif']
  // Until a file is recognised its row stands elsewhere.
  for (const name of names)
    await expect(page.getByRole('button', { name: `Target of ${name}:` })).toBeVisible()
  await row(app, 'Floor plan.png').getByTitle('Floor plan.png', { exact: true }).click()
  await page.keyboard.press('Delete')
  await expect(row(app, 'Floor plan.png')).toHaveCount(0)
  await expect(row(app, 'Poster.webp')).toBeFocused()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row(app, 'Floor plan.png')).toBeVisible()

  await row(app, 'Floor plan.png').getByTitle('Floor plan.png', { exact: true }).click()
  await page.keyboard.press('Control+a')
  await expect(page.getByRole('row', { selected: true })).toHaveCount(names.length)
  await page.keyboard.press('Delete')
  await expect(page.getByText('3 files removed')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  for (const name of names) await expect(row(app, name)).toBeVisible()

  // It takes effect if the page is left before it was undone.
  await page.getByRole('button', { name: 'Remove Floor plan.png' }).click()
  await expect(page.getByText('1 file removed')).toBeVisible()
  await page.reload()
  await expect(row(app, 'Poster.webp')).toBeVisible()
  await expect(row(app, 'Floor plan.png')).toHaveCount(0)
})

test('the last choice for a format applies to the next file, and reopening a file from the history restores its own', {
  tag: '@full',
}, async ({ app }) => {
  const { page } = app
  const details = page.getByRole('complementary', { name: 'Details' })
  const isSmall = () =>
    expect(details.getByRole('button', { name: '720p', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await page.getByLabel('Files to convert').setInputFiles(fixtures.webp)
  await expect(row(app, 'Poster.webp')).toContainText('640 × 480')
  await choose(app, 'Poster.webp', 'JPEG')
  await setSize(details, '720p')
  await convert(app, 1)
  await expect(page.getByRole('link', { name: 'Download Poster.jpg' })).toBeVisible()
  await page.getByRole('button', { name: 'Remove Poster.webp' }).click()
  // Remembered by the service, not by the browser.
  await page.evaluate(() => {
    const session = localStorage.getItem('refile-session') ?? ''
    localStorage.clear()
    localStorage.setItem('refile-session', session)
  })
  await delay(page, '**/app/choices', 500)
  await page.reload()
  const next = { name: 'Next.webp', mimeType: 'image/webp', buffer: await readFile(fixtures.webp) }
  await page.getByLabel('Files to convert').setInputFiles(next)
  await expect(page.getByRole('button', { name: 'Target of Next.webp:' })).toContainText('JPEG')
  await isSmall()

  await setSize(details, '1080p')
  await goTo(app, 'History')
  await page.getByRole('button', { name: 'Convert Poster.webp with other options' }).click()
  await expect(row(app, 'Poster.webp')).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('button', { name: 'Target of Poster.webp:' })).toContainText('JPEG')
  await isSmall()
})

test('a key created on the page works for a program, until it is revoked', async ({ app }) => {
  const { page, url } = app
  await app.page.goto(`${app.url}/#/settings/api`)
  await page.getByRole('button', { name: 'Create key' }).first().click()
  await page
    .getByRole('dialog', { name: 'New API key' })
    .getByRole('textbox', { name: /^Name/ })
    .fill('Build server')
  // A wrong address is said beside its field, and nowhere else.
  const addresses = page.getByRole('textbox', { name: 'Allowed addresses' })
  await addresses.fill('127.0.0.1\nhome')
  await page.getByRole('dialog', { name: 'New API key' }).getByRole('button', { name: 'Create key' }).click()
  await expect(addresses).toHaveAccessibleDescription(/"home" is neither an IP address/)
  await expect(page.locator('.mantine-Notification-root')).toHaveCount(0)
  await addresses.fill('127.0.0.1')
  await page.getByRole('dialog', { name: 'New API key' }).getByRole('button', { name: 'Create key' }).click()
  const secret =
    /rf_\w{16}_[\w-]{43}/.exec(await page.getByRole('dialog', { name: 'Your new key' }).innerHTML())?.[0] ??
    ''
  const ask = () => fetch(`${url}/convert/entitlements/me`, { headers: { 'x-service-api-key': secret } })
  expect((await ask()).status).toBe(200)
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByRole('button', { name: 'Revoke Build server' }).click()
  await page
    .getByRole('dialog', { name: /^Revoke/ })
    .getByRole('button', { name: 'Revoke' })
    .click()
  await expect(page.getByText('“Build server” was revoked.')).toBeVisible()
  expect((await ask()).status).toBe(401)
})

test("a program's conversions are shown live", async ({ app }) => {
  const { page, url, apiKey } = app
  await goTo(app, 'History')
  await expect(page.getByRole('heading', { level: 1, name: 'History' })).toBeVisible()
  const form = new FormData()
  form.set('targetFormat', 'jpg')
  form.set('file', new Blob([new Uint8Array(await readFile(fixtures.png))]), 'From a program.png')
  await fetch(`${url}/convert`, { method: 'POST', body: form, headers: { 'x-service-api-key': apiKey } })
  await expect(page.getByText('From a program.png')).toBeVisible()
})

test('expired results are not offered', { tag: '@full' }, async ({ app }) => {
  const { page } = app
  await page.clock.install()
  await page.reload()
  await page.getByLabel('Files to convert').setInputFiles([fixtures.png])
  await choose(app, 'Images', 'JPEG')
  await convert(app, 1)
  await expect(page.getByRole('link', { name: 'Download Floor plan.jpg' })).toBeVisible()
  await page.clock.fastForward('25:00:00')
  await expect(row(app, 'Floor plan.png')).toContainText('no longer kept')
  await expect(page.getByRole('link', { name: /^Download/ })).toHaveCount(0)
})
