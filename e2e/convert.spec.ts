import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import sharp from 'sharp'
import { type App, expect, test } from './app.ts'
import { makeSamples } from './samples.ts'
import { choose, goTo } from './steps.ts'

let samples: Awaited<ReturnType<typeof makeSamples>>
test.beforeAll(async () => {
  samples = await makeSamples()
})

const group = (app: App, name: RegExp) => app.page.getByRole('region', { name })

/** A drop of files from the desktop, as the page sees it. */
async function drop(app: App, paths: string[]): Promise<void> {
  // Unlike a click, an event sent by hand does not wait for the page to listen.
  await expect(app.page.getByRole('button', { name: 'Choose files' })).toBeVisible()
  const files = await Promise.all(
    paths.map(async path => ({ name: basename(path), content: (await readFile(path)).toString('base64') })),
  )
  await app.page.evaluate(dropped => {
    const data = new DataTransfer()
    for (const { name, content } of dropped) {
      data.items.add(new File([Uint8Array.from(atob(content), char => char.charCodeAt(0))], name))
    }
    const target = document.querySelector('main') ?? document.body
    for (const type of ['dragenter', 'dragover', 'drop']) {
      target.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }))
    }
  }, files)
}

test('drop five files of five formats, set options, watch, cancel one, save all, and see the ledger change', async ({
  app,
}) => {
  const { page } = app
  await drop(app, [samples.jpg, samples.png, samples.gif, samples.svg])
  await page.getByLabel('Files to convert').setInputFiles(samples.long)
  await expect(group(app, /^1 file: WAV/)).toBeVisible({ timeout: 40_000 })

  // Only what the file can become is offered.
  await page.getByRole('button', { name: 'Target format for SVG:' }).click()
  await expect(page.getByRole('option')).toHaveText([/JPEG/, /PNG/])
  await page.keyboard.press('Escape')
  await choose(app, 'JPEG', 'WebP')
  await choose(app, 'PNG', 'JPEG')
  await choose(app, 'GIF', 'WebP')
  await choose(app, 'SVG', 'PNG')
  await choose(app, 'WAV', 'Opus')

  // The options come from the conversion's schema.
  const jpeg = group(app, /^1 file: JPEG to WebP/)
  await jpeg.getByRole('button', { name: /^Options/ }).click()
  await jpeg.getByRole('switch', { name: 'Resize the picture' }).click()
  await expect(jpeg.getByRole('switch', { name: 'Resize the picture' })).toBeChecked()
  await jpeg
    .getByRole('combobox', { name: 'Size' })
    .or(jpeg.getByRole('textbox', { name: 'Size' }))
    .first()
    .click()
  await page.getByRole('option', { name: '720p' }).click()

  // 1 credit for each picture and 12 for an hour of sound.
  await expect(page.getByRole('button', { name: 'Convert 5 files' })).toBeVisible()
  await expect(page.getByText('16 credits').first()).toBeVisible()
  await page.getByRole('button', { name: 'Convert 5 files' }).click()

  await goTo(app, 'Jobs')
  await expect(page.getByRole('progressbar', { name: 'Progress of Long lecture.wav' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel Long lecture.wav' }).click()
  await expect(page.getByText('Canceled').first()).toBeVisible()
  for (const name of ['Harbour at dusk', 'Floor plan', 'Traffic light', 'Logo']) {
    await expect(page.getByRole('link', { name: new RegExp(`^Save ${name}`) })).toBeVisible()
  }

  const saving = page.waitForEvent('download')
  await page
    .getByRole('button', { name: /^Save all|as one ZIP/ })
    .first()
    .click()
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
  await expect(page.getByText('496').first()).toBeVisible()
})

test('files of one format are converted together, and a converted file can be converted again', async ({
  app,
}) => {
  const { page } = app
  await page.getByLabel('Files to convert').setInputFiles([samples.wav, samples.mp4, samples.webp])
  await expect(group(app, /^1 file: MP4/)).toBeVisible()
  await choose(app, 'WAV', 'MP3')
  await choose(app, 'MP4', 'WAV')
  await choose(app, 'WebP', 'PNG')
  await page.getByRole('button', { name: 'Convert 3 files' }).click()
  await goTo(app, 'Jobs')
  await expect(page.getByRole('link', { name: /^Save (Tuning fork|Clip|Poster)/ })).toHaveCount(3)
  await page.getByRole('button', { name: /Convert Poster\.webp again/ }).click()
  await expect(page.getByRole('link', { name: /^Save Poster/ })).toHaveCount(2)
})

test('a damaged file fails with what happened and what to do, and is refunded', async ({ app }) => {
  const { page } = app
  // The head alone, without a pixel.
  const bytes = (await readFile(samples.jpg)).subarray(0, 150)
  await page
    .getByLabel('Files to convert')
    .setInputFiles({ name: 'Broken.jpg', mimeType: 'image/jpeg', buffer: bytes })
  await choose(app, 'JPEG', 'PNG')
  await page.getByRole('button', { name: 'Convert 1 file' }).click()
  await goTo(app, 'Jobs')
  await expect(page.getByText('The file is damaged')).toBeVisible()
  await goTo(app, 'Credits')
  await expect(page.getByRole('row', { name: /Refund.*Broken\.jpg/ })).toBeVisible()
})

test('a file nothing can convert is said to be one', async ({ app }) => {
  await app.page
    .getByLabel('Files to convert')
    .setInputFiles({ name: 'notes.xyz', mimeType: 'text/plain', buffer: Buffer.from('text') })
  await expect(app.page.getByText('1 file Refile cannot convert')).toBeVisible()
})

test('a key made on the page works for a program, until it is revoked', async ({ app }) => {
  const { page, url } = app
  await goTo(app, 'API keys')
  await page.getByRole('button', { name: 'Create key' }).first().click()
  await page
    .getByRole('dialog', { name: 'New API key' })
    .getByRole('textbox', { name: /^Name/ })
    .fill('Build server')
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

test('what a program converts shows up live', async ({ app }) => {
  const { page, url, apiKey } = app
  await goTo(app, 'Jobs')
  const form = new FormData()
  form.set('targetFormat', 'jpg')
  form.set('file', new Blob([new Uint8Array(await readFile(samples.png))]), 'From a program.png')
  await fetch(`${url}/convert`, { method: 'POST', body: form, headers: { 'x-service-api-key': apiKey } })
  await expect(page.getByText('From a program.png')).toBeVisible()
})

test.describe('with results kept for two seconds', () => {
  test.use({ environment: { REFILE_RETENTION_SECONDS: '2' } })

  test('what is no longer kept is not offered, nor marked as if it were', async ({ app }) => {
    const { page } = app
    await page.getByLabel('Files to convert').setInputFiles([samples.png])
    await choose(app, 'PNG', 'JPEG')
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await goTo(app, 'Jobs')
    const done = page.getByText('Done', { exact: true })
    await expect(page.getByText('no longer kept')).toBeVisible()
    await expect(done).toHaveAttribute('data-status', 'Expired')
    await expect(page.getByRole('link', { name: /^Save Floor plan/ })).toHaveCount(0)
  })
})
