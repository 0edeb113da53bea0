import { isFull } from '../testing/fixtures/full.ts'
import { type App, expect, test } from './help/app.ts'
import { faultsOf } from './help/faults.ts'
import { fixtures } from './help/fixtures.ts'
import { convert, row } from './help/steps.ts'

// Wide enough for every preset to have a button of its own.
test.use({ viewport: { width: 1600, height: 860 } })

const chip = ({ page }: App, name: string) => page.getByRole('button', { name, exact: true })

test('a preset applies to all files, its options fit the file, and it can be saved under a custom name', {
  tag: '@full',
}, async ({ app }) => {
  const { page } = app
  // The last used presets are offered before there are files, and apply to files as they are added.
  await chip(app, 'For e-mail').click()
  await page.getByLabel('Files to convert').setInputFiles([fixtures.jpg, fixtures.wav])
  await expect(chip(app, 'For e-mail')).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('button', { name: 'Target of Tuning fork.wav:' })).toContainText('MP3')
  await expect(page.getByRole('button', { name: 'Target of Harbour at dusk.jpg:' })).toContainText('JPEG')

  await page.getByTitle('Tuning fork.wav', { exact: true }).click()
  // Three seconds, trimmed with the keys and with the pointer.
  await page.getByRole('slider', { name: 'To', exact: true }).press('PageDown')
  await expect(page.getByRole('textbox', { name: 'To', exact: true })).toHaveValue('0:02')
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('0:01')
  await expect(page.getByRole('slider', { name: 'To', exact: true })).toHaveAttribute('aria-valuenow', '1')
  await expect(chip(app, 'For e-mail')).toHaveAttribute('aria-pressed', 'false')
  expect(await faultsOf(app)).toEqual([])
  // A handle is dragged: the start to a third of the recording.
  const handle = page.getByRole('slider', { name: 'From' })
  const bar = (await handle.locator('..').boundingBox())!
  const grip = (await handle.boundingBox())!
  await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2)
  await page.mouse.down()
  await page.mouse.move(bar.x + bar.width / 6, bar.y + 20, { steps: 3 })
  await page.mouse.up()
  await expect(handle).toHaveAttribute('aria-valuenow', '0.5')
  await page.getByRole('textbox', { name: 'From' }).fill('')

  // In the details, a preset is chosen for the selected file alone.
  const preset = page.getByRole('combobox', { name: 'Preset' })
  await expect(preset).toHaveValue('No preset')
  await preset.click()
  await page.getByRole('option', { name: 'Transcript' }).click()
  await expect(page.getByRole('button', { name: 'Target of Tuning fork.wav:' })).toContainText('Transcript')
  await expect(page.getByRole('button', { name: 'Target of Harbour at dusk.jpg:' })).toContainText('JPEG')
  await preset.click()
  await page.getByRole('option', { name: 'For e-mail' }).click()
  await expect(chip(app, 'For e-mail')).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('0:01')

  await page.getByRole('button', { name: 'More presets' }).click()
  await page.getByRole('menuitem', { name: 'Save as preset' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Short')
  expect(await faultsOf(app)).toEqual([])
  await page.getByRole('button', { name: 'Save preset' }).click()
  await expect(chip(app, 'Short')).toHaveAttribute('aria-pressed', 'true')
  await page.reload()
  await expect(chip(app, 'Short')).toBeVisible()
})

test('a still picture has no frame to choose, its size is shown, and a smaller file keeps its format', {
  tag: '@full',
}, async ({ app }) => {
  const { page } = app
  await page.getByLabel('Files to convert').setInputFiles(fixtures.jpg)
  await chip(app, 'Make it smaller').click()
  const details = page.getByRole('complementary', { name: 'Details' })
  await details.getByRole('button', { name: '50%' }).click()
  await expect(details).toContainText(/From .* to .* pixels/)
  // There are no frames to decide about.
  await expect(details.getByText('Smart compression', { exact: true }).first()).toBeVisible()
  await expect(details.getByText('Frame', { exact: true })).toHaveCount(0)
  if (isFull) expect(await faultsOf(app)).toEqual([])
  await details.getByRole('button', { name: 'Reset' }).click()
  await chip(app, 'Make it smaller').click()
  await convert(app, 1)
  await expect(row(app, 'Harbour at dusk.jpg')).toContainText('−')
})

test("presets of one's own are renamed, saved to a file, deleted and read from it", { tag: '@full' }, async ({
  app,
}) => {
  const { page, url, request } = app
  const data = { name: 'Forum', choices: { jpg: { target: 'webp', options: {} } } }
  expect((await request.post(`${url}/app/presets`, { data })).ok()).toBe(true)
  await page.reload()
  await page.getByLabel('Files to convert').setInputFiles(fixtures.jpg)
  const more = async (name: string) => {
    await page.getByRole('button', { name: 'More presets' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await more('Manage presets…')
  const dialog = page.getByRole('dialog', { name: 'Your presets' })
  await dialog.getByRole('textbox', { name: 'Rename Forum' }).fill('Club')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('textbox', { name: 'Rename Club' })).toBeVisible()
  expect(await faultsOf(app)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(chip(app, 'Club')).toBeVisible()
  const [file] = await Promise.all([page.waitForEvent('download'), more('Export')])
  await more('Manage presets…')
  await dialog.getByRole('button', { name: 'Delete Club' }).click()
  await expect(dialog).toContainText('You have no presets')
  await page.keyboard.press('Escape')
  await expect(chip(app, 'Club')).toHaveCount(0)
  await page.getByLabel('Preset file to import').setInputFiles(fixtures.jpg)
  await expect(page.getByText('not a file of Refile presets')).toBeVisible()
  await page.getByLabel('Preset file to import').setInputFiles(await file.path())
  await expect(chip(app, 'Club')).toBeVisible()
})
