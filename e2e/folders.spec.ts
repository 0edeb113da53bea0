import { copyFile, mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isFull } from '../testing/fixtures/full.ts'
import { expect, test } from './help/app.ts'
import { faultsOf, violationsOf } from './help/faults.ts'
import { fixtures } from './help/fixtures.ts'

/** Only the owner's originals go to the recycle bin. */
test.use({ account: 'owner' })

test('a folder is watched, paused, tried again and let go', { tag: '@full' }, async ({ app }) => {
  const { page } = app
  const place = await mkdtemp(join(tmpdir(), 'refile-watch-'))
  const [folder, out] = [join(place, 'scans'), join(place, 'results')]
  await Promise.all([mkdir(folder), mkdir(out)])
  await page.goto(`${app.url}/#/settings/watch`)
  const panel = page.getByRole('region', { name: 'Watched folders' })
  await expect(panel).toContainText('No folder is watched yet.')

  await panel.getByRole('button', { name: 'Watch a folder' }).click()
  const dialog = page.getByRole('dialog', { name: 'Watch a folder' })
  await dialog.getByRole('button', { name: 'Start watching' }).click()
  await expect(dialog.getByText('Give the whole path of a folder.')).toHaveCount(2)
  await dialog.getByRole('textbox', { name: 'Folder', exact: true }).fill(folder)
  // The kind of files brings its pattern, its presets and its options.
  await dialog.getByRole('combobox', { name: 'Kind of files' }).fill('jpg')
  await page.getByRole('option', { name: 'JPEG', exact: true }).click()
  await expect(dialog.getByRole('textbox', { name: 'Names of the files' })).toHaveValue(
    '*.{jpg,jpeg,jpe,jfif}',
  )
  await dialog.getByRole('combobox', { name: 'Preset' }).click()
  await page.getByRole('option', { name: 'For the web' }).click()
  await expect(dialog.getByRole('combobox', { name: 'Convert to' })).toHaveValue('WebP')
  const options = dialog.getByRole('region', { name: 'Options', exact: true })
  await expect(options.getByRole('button', { name: 'All options' })).toBeVisible()
  await options.getByRole('button', { name: 'Reset' }).click()
  await expect(dialog.getByRole('combobox', { name: 'Preset' })).toHaveValue('')
  await dialog.getByText('Recycle bin', { exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Folder for the results' }).fill(folder)
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Start watching' }).click()
  await expect(page.getByText('would fall into the watched folder')).toBeVisible()

  // The second folder is chosen instead of typed.
  await dialog.getByRole('textbox', { name: 'Folder for the results' }).fill(place)
  await dialog.getByRole('button', { name: 'Choose: Folder for the results' }).click()
  const browser = page.getByRole('dialog', { name: 'Choose a folder' })
  await browser.getByRole('button', { name: 'results' }).click()
  await expect(browser.getByRole('textbox', { name: 'Path' })).toHaveValue(out)
  await browser.getByRole('button', { name: 'Choose', exact: true }).click()
  await expect(dialog.getByRole('textbox', { name: 'Folder for the results' })).toHaveValue(out)
  await dialog.getByRole('button', { name: 'Start watching' }).click()
  await expect(dialog).toBeHidden()

  const rule = panel.getByRole('listitem', { name: 'scans to WebP' })
  await expect(rule).toContainText('nothing converted yet')
  await expect(rule).toContainText('originals go to the recycle bin')
  await expect(rule.getByText('Watching', { exact: true })).toBeVisible()
  const [picture, writer] = [await readFile(fixtures.jpg), await open(join(folder, 'a.jpg'), 'w')]
  await writer.write(picture.subarray(0, 1_000))
  await expect(rule).toContainText('1 file is still being written', { timeout: 20_000 })
  await writer.write(picture.subarray(1_000))
  await writer.close()
  await expect(rule).toContainText('1 file converted', { timeout: 60_000 })
  await expect(rule).toContainText('last: a.jpg')
  await writeFile(join(folder, 'b.jpg'), 'no picture')
  await expect(rule).toContainText('1 file could not be converted:', { timeout: 60_000 })
  await expect(rule.getByRole('listitem')).toHaveText(/^b\.jpg: \S/)

  // A folder that is gone is said, and so is when it is back.
  await rename(folder, `${folder}-away`)
  await expect(rule).toContainText('cannot be used', { timeout: 20_000 })
  await expect(rule.getByText('Watching', { exact: true })).toBeHidden()
  expect(await violationsOf(page)).toEqual([])
  await rename(`${folder}-away`, folder)
  await expect(rule).not.toContainText('cannot be used', { timeout: 20_000 })
  expect(await readdir(out)).toEqual(['a.webp'])
  await expect.poll(() => readdir(folder)).toEqual(['b.jpg'])
  if (isFull) expect(await faultsOf(app)).toEqual([])

  await rule.getByRole('button', { name: 'Pause scans to WebP' }).click()
  await expect(rule.getByText('Paused')).toBeVisible()
  await copyFile(fixtures.jpg, join(folder, 'b.jpg'))
  await rule.getByRole('button', { name: 'Try again what failed in scans to WebP' }).click()
  await expect(rule.getByText('Paused')).toBeHidden()
  await expect(rule).toContainText('2 files converted', { timeout: 60_000 })
  await page.setViewportSize({ width: 420, height: 860 })
  expect(await faultsOf(app)).toEqual([])

  await rule.getByRole('button', { name: 'Remove scans to WebP' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(panel).toContainText('No folder is watched yet.')
  expect(await readdir(folder)).toEqual([])
  await rm(place, { recursive: true, force: true })
})

test.describe('with few credits', () => {
  test.use({ account: 'poor' })

  test('a rule is held while the credits do not suffice, and says so', { tag: '@full' }, async ({ app }) => {
    const { page } = app
    const place = await mkdtemp(join(tmpdir(), 'refile-watch-'))
    const [folder, out] = [join(place, 'scans'), join(place, 'results')]
    await Promise.all([mkdir(folder), mkdir(out)])
    for (let at = 0; at < 7; at++) await copyFile(fixtures.jpg, join(folder, `${at}.jpg`))
    const data = { folder, out, target: 'webp' }
    expect((await app.request.post(`${app.url}/app/watch`, { data })).status()).toBe(201)
    await page.goto(`${app.url}/#/settings/watch`)
    const rule = page.getByRole('listitem', { name: 'scans to WebP' })
    await expect(rule).toContainText('The credits do not suffice', { timeout: 60_000 })
    await expect(rule).toContainText('5 files converted')
    await expect(rule.getByText('Watching', { exact: true })).toBeHidden()
    expect(await violationsOf(page)).toEqual([])
    await rm(place, { recursive: true, force: true })
  })
})
