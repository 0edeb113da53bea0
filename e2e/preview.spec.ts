import { isFull } from '../testing/fixtures/full.ts'
import { expect, test } from './help/app.ts'
import { violationsOf } from './help/faults.ts'
import { fixtures } from './help/fixtures.ts'
import { choose, row } from './help/steps.ts'

test('thumbnails and the preview of a conversion are shown', { tag: '@full' }, async ({ app }) => {
  const { page } = app
  await page.setViewportSize({ width: 1600, height: 900 })
  await page.getByLabel('Files to convert').setInputFiles([fixtures.jpg, fixtures.mp4, fixtures.wav])
  const picture = row(app, 'Harbour at dusk.jpg')
  await expect(picture.locator('img')).toBeVisible()
  await expect(row(app, 'Clip.mp4').locator('img')).toBeVisible()

  await choose(app, 'Harbour at dusk.jpg', 'WebP')
  await picture.click()
  const preview = page.getByRole('region', { name: 'Preview' })
  const boundary = preview.getByRole('slider', { name: 'Boundary between before and after' })
  await expect(boundary).toHaveAttribute('aria-valuenow', '50')
  await expect(preview.getByText(/smaller/)).toBeVisible()
  await expect(
    preview.getByText(/^(No visible difference|Differences only up close|Visible differences)$/),
  ).toBeVisible()

  // With the keyboard, and by dragging.
  await boundary.press('ArrowRight')
  await expect(boundary).toHaveAttribute('aria-valuenow', '52')
  await boundary.press('Home')
  await expect(boundary).toHaveAttribute('aria-valuenow', '0')
  const stage = (await boundary.locator('..').boundingBox())!
  await page.mouse.move(stage.x + 3, stage.y + 40)
  await page.mouse.down()
  await page.mouse.move(stage.x + stage.width * 0.75, stage.y + 40, { steps: 4 })
  await page.mouse.up()
  await expect(boundary).toHaveAttribute('aria-valuenow', '75')
  await preview.getByText('100%').click()
  await expect(preview.getByRole('group', { name: /moved by dragging/ })).toBeVisible()

  // Audio can be heard before and after, at the same position.
  await choose(app, 'Tuning fork.wav', 'MP3')
  await row(app, 'Tuning fork.wav').click()
  const position = preview.getByRole('slider', { name: 'Position in the recording' })
  await position.press('ArrowRight')
  await expect(position).toHaveAttribute('aria-valuenow', '1')
  await preview.getByText('Before').click()
  const times = () =>
    page.evaluate(() => [...document.querySelectorAll('audio')].map(audio => audio.currentTime))
  await expect.poll(times).toEqual([1, 1])

  const looks = [
    ['Tuning fork.wav', 'light'],
    ['Harbour at dusk.jpg', 'dark'],
    ...(isFull
      ? ([
          ['Tuning fork.wav', 'dark'],
          ['Harbour at dusk.jpg', 'light'],
        ] as const)
      : []),
  ] as const
  for (const [name, colorScheme] of looks) {
    await page.emulateMedia({ colorScheme })
    await row(app, name).click()
    await expect(preview.getByRole('slider').first()).toBeVisible()
    expect(await violationsOf(page, ['section[aria-busy]'])).toEqual([])
  }
})

test('a picture is seen before the service has it, and stays as it was drawn', async ({ app }) => {
  const { page } = app
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/app/files', async route => {
    if (route.request().method() === 'POST') await released
    await route.continue()
  })
  await page.getByLabel('Files to convert').setInputFiles([fixtures.png, fixtures.wav])
  const picture = row(app, 'Floor plan.png').locator('img')
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(48)
  const drawn = await picture.getAttribute('src')
  await expect(row(app, 'Tuning fork.wav').locator('img')).toHaveCount(0)
  // To leave now would lose them, which a browser asks about once somebody has pressed something.
  await row(app, 'Tuning fork.wav').click()
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  release()
  await expect(page.getByRole('button', { name: 'Target of Floor plan.png: JPEG' })).toBeVisible()
  await expect(picture).toHaveAttribute('src', drawn!)
})
