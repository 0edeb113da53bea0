/** How many clicks it takes to do what people come for. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { type App, expect, test } from './help/app.ts'
import { faultsOf } from './help/faults.ts'
import { fixtures } from './help/fixtures.ts'
import { choose, convert, countClicks, row } from './help/steps.ts'

const add = ({ page }: App, ...files: string[]) => page.getByLabel('Files to convert').setInputFiles(files)

async function saved({ page }: App, name: string): Promise<string> {
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: `Download ${name}` }).click()
  return (await download).path()
}

test('a PDF is seen as a Word document before anything is pressed, and saved with two clicks', {
  tag: '@full',
}, async ({ app }) => {
  const { page } = app
  const clicks = await countClicks(app.page)
  const pdf = await PDFDocument.create()
  pdf.addPage([300, 400]).drawText('A letter', { x: 40, y: 300 })
  const buffer = Buffer.from(await pdf.save())
  const letter = { name: 'Letter.pdf', mimeType: 'application/pdf', buffer }
  await page.getByLabel('Files to convert').setInputFiles(letter)
  const preview = page.getByRole('region', { name: 'Preview' })
  for (const side of ['Before', 'After']) {
    const box = await preview.getByRole('figure', { name: side }).getByRole('img').boundingBox()
    expect(box!.width).toBeGreaterThan(80)
    expect(box!.height).toBeGreaterThan(80)
  }
  await convert(app, 1)
  await saved(app, 'Letter.docx')
  expect(await clicks()).toBe(2)
})

test('a locked PDF is split into its pages, which need no password, with four clicks', {
  tag: '@full',
}, async ({ app }) => {
  const { page } = app
  const folder = await mkdtemp(join(tmpdir(), 'refile-e2e-split-'))
  const pdf = await PDFDocument.create()
  for (const width of [300, 400]) pdf.addPage([width, 400])
  const [open, locked] = [join(folder, 'Open.pdf'), join(folder, 'Letters.pdf')]
  await writeFile(open, await pdf.save())
  execFileSync('qpdf', ['--encrypt', 'secret', 'owner', '256', '--', open, locked])
  const clicks = await countClicks(app.page)
  await add(app, locked)
  await page.getByRole('button', { name: 'Split a PDF' }).click()
  const details = page.getByRole('complementary', { name: 'Details' })
  await expect(details.getByRole('combobox', { name: 'Split' })).toHaveValue('A file for each page')
  const password = details.getByLabel('Password', { exact: true })
  await password.click()
  await password.fill('secret')
  await convert(app, 1)
  const archive = await saved(app, 'service-pdf-to-pdf-Letters-2-outputs.zip')
  expect(await clicks()).toBe(4)
  execFileSync('unzip', ['-q', archive, '-d', folder])
  const about = (name: string) => execFileSync('pdfinfo', [join(folder, name)]).toString()
  expect(about('Letters-1.pdf')).toMatch(/Encrypted: +no\nPage size: +300 x 400/)
  expect(about('Letters-2.pdf')).toMatch(/Pages: +1\nEncrypted: +no\nPage size: +400 x 400/)
  await rm(folder, { recursive: true })
})

test('a first conversion into a folder takes two clicks, and one more after a typing error', {
  tag: '@full',
}, async ({ app }) => {
  const { page } = app
  const folder = await mkdtemp(join(tmpdir(), 'refile-e2e-into-'))
  await add(app, fixtures.svg, fixtures.png)
  await expect(page.getByRole('button', { name: 'Convert 2 files' })).toBeEnabled()
  // Whoever chooses no folder after all saves as before.
  const saveTo = page.getByRole('button', { name: /^Save to/ })
  await saveTo.click()
  await page.getByRole('radio', { name: 'a folder' }).click()
  const dialog = page.getByRole('dialog', { name: 'Choose a folder' })
  await expect(dialog.getByRole('button', { name: 'Save here' })).toBeEnabled()
  await page.keyboard.press('Escape')
  await expect(saveTo).toContainText('keep for download')

  const clicks = await countClicks(app.page)
  await page.getByRole('button', { name: 'Convert and save to…' }).click()
  const path = dialog.getByRole('textbox', { name: 'Path' })
  await expect(path).not.toHaveValue('')
  await path.fill(join(folder, 'missing'))
  await dialog.getByRole('button', { name: 'Convert and save here' }).click()
  await expect(path).toHaveAttribute('aria-invalid', 'true')
  await path.fill(folder)
  await dialog.getByRole('button', { name: 'Convert and save here' }).click()
  await expect(page.getByText(`2 files saved in ${folder}`)).toBeVisible()
  expect(await clicks()).toBe(3)
  expect((await readdir(folder)).toSorted()).toEqual(['Floor plan.jpg', 'Logo.png'])
  // The folder stays the destination.
  await expect(saveTo).toContainText(folder.split('/').at(-1)!)
  await rm(folder, { recursive: true })
})

test('a row has a menu, and the space bar shows its file in the whole window', { tag: '@full' }, async ({
  app,
}) => {
  const { page } = app
  await add(app, fixtures.png, fixtures.webp)
  const [plan, poster] = [row(app, 'Floor plan.png'), row(app, 'Poster.webp')]
  for (const name of ['Floor plan.png', 'Poster.webp'])
    await expect(page.getByRole('button', { name: `Target of ${name}:` })).toBeVisible()
  await plan.getByTitle('Floor plan.png').click({ button: 'right' })
  const menu = page.getByRole('menu', { name: 'Actions for Floor plan.png' })
  await expect(menu.getByRole('menuitem')).toHaveText([
    ...['Quick look', 'Convert 1 of 2', 'Another result of this file', 'Remove'],
  ])
  expect(await faultsOf(app)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await expect(plan).toBeFocused()

  await poster.getByTitle('Poster.webp').click()
  await page.keyboard.press('Space')
  const look = page.getByRole('dialog', { name: 'Poster.webp' })
  const boundary = look.getByRole('slider', { name: 'Boundary between before and after' })
  await expect.poll(async () => (await boundary.boundingBox())?.height).toBeGreaterThan(400)
  expect(await faultsOf(app)).toEqual([])
  await page.keyboard.press('Space')
  await expect(look).toHaveCount(0)
  await expect(poster).toBeFocused()

  // What is selected as well is part of it, and the keyboard opens it.
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  const rows = page.getByRole('row', { name: /Poster|Floor/ })
  await expect(rows).toHaveCount(0)

  // What was done is taken back, the latest first, also a target.
  await page.keyboard.press('Control+z')
  await expect(rows).toHaveCount(2)
  const target = page.getByRole('button', { name: 'Target of Poster.webp:' })
  const before = await target.textContent()
  await choose(app, 'Poster.webp', 'GIF')
  await expect(target).toContainText('GIF')
  await page.keyboard.press('Control+z')
  await expect(target).toHaveText(before ?? '')

  // With Shift, lines are selected, and none of their text.
  await poster.getByTitle('Poster.webp').click()
  await plan.getByTitle('Floor plan.png').click({ modifiers: ['Shift'] })
  await expect(page.getByRole('row', { selected: true })).toHaveCount(2)
  expect(await page.evaluate(() => String(getSelection()))).toBe('')
  await plan.getByTitle('Floor plan.png').click()

  // One of two is converted alone.
  await plan.getByTitle('Floor plan.png').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Convert 1 of 2' }).click()
  await expect(page.getByRole('link', { name: /^Download Floor plan/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Convert 1 file', exact: true })).toBeEnabled()
})

test('a picture is cropped by a frame, turned and mirrored, with a click each', { tag: '@full' }, async ({
  app,
}) => {
  const { page } = app
  const buffer = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#36c' } })
    .composite([
      { input: { create: { width: 200, height: 200, channels: 3, background: '#c63' } }, left: 200, top: 0 },
    ])
    .png()
    .toBuffer()
  await page
    .getByLabel('Files to convert')
    .setInputFiles({ name: 'Two halves.png', mimeType: 'image/png', buffer })
  const frame = page.getByRole('group', { name: /^Part to keep: 400 × 200/ })
  await frame.scrollIntoViewIfNeeded()
  const clicks = await countClicks(page)
  const { x, y, width, height } = (await frame.boundingBox())!
  // The upper left corner to the middle, on the border of the halves.
  await page.mouse.move(x + 1, y + 1)
  await page.mouse.down()
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 })
  await page.mouse.up()
  const kept = page.getByRole('group', { name: /^Part to keep/ })
  await expect(kept).toHaveAccessibleName(/: 20[01] × 10[01] pixels, (199|200) from the left and (99|100)/)
  await expect(kept.getByRole('slider', { name: 'Top left' })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(kept).toHaveAccessibleName(/and 9[56] from the top/)
  const { promise: isJudged, resolve: judged } = Promise.withResolvers<void>()
  await page.route('**/app/preview', route => isJudged.then(() => route.continue()))
  await page.getByRole('button', { name: '90° clockwise' }).click()
  await page.getByRole('button', { name: 'Left to right' }).click()
  // Also while its next preview is being made.
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview).toHaveAttribute('aria-busy', 'true')
  await expect(preview.getByRole('img')).not.toHaveCount(0)
  expect(await faultsOf(app)).toEqual([])
  judged()
  await expect(preview).toHaveAttribute('aria-busy', 'false')
  expect(await faultsOf(app)).toEqual([])
  await convert(app, 1)
  const path = await saved(app, 'Two halves.jpg')
  const { data, info: shown } = await sharp(path).raw().toBuffer({ resolveWithObject: true })
  expect([shown.width, shown.height].map(edge => Math.round(edge / 10))).toEqual([10, 20])
  // All of the right half.
  expect(data[0]).toBeGreaterThan(180)
  // The frame, two buttons, Convert and Download.
  expect(await clicks()).toBe(5)
})

test('each handle of the frame around a crop can be hit and seen, also where the frame is small', {
  tag: '@full',
}, async ({ app }) => {
  const { page } = app
  for (const [width, height] of [
    [800, 600],
    [6, 4],
    [2, 300],
  ] as const) {
    const buffer = await sharp({ create: { width, height, channels: 3, background: '#36c' } })
      .png()
      .toBuffer()
    const name = `${width} by ${height}.png`
    await page.getByLabel('Files to convert').setInputFiles({ name, mimeType: 'image/png', buffer })
    await row(app, name).getByTitle(name).first().click()
    await expect(
      page.getByRole('group', { name: `Part to keep: ${width} × ${height} pixels` }),
    ).toBeAttached()
    const corner = page.getByRole('slider', { name: 'Bottom right' })
    await corner.scrollIntoViewIfNeeded()
    await corner.focus()
    // First around the whole picture, then as small as it gets.
    for (const presses of [0, 11]) {
      for (let press = 0; press < presses; press++)
        for (const key of ['Shift+ArrowLeft', 'Shift+ArrowUp']) await page.keyboard.press(key)
      const covered = await page.getByRole('slider').evaluateAll(handles =>
        handles
          .filter(handle => handle.hasAttribute('data-handle'))
          .flatMap(handle => {
            const { left, top, width, height } = handle.getBoundingClientRect()
            const points = [1, 12, 23].flatMap(x => [1, 12, 23].map(y => [left + x, top + y] as const))
            const isOwn = points.every(([x, y]) => document.elementFromPoint(x, y) === handle)
            return width >= 24 && height >= 24 && isOwn ? [] : handle.getAttribute('aria-label')
          }),
      )
      expect(covered, `${name} after ${presses}`).toEqual([])
      expect(await page.locator('[data-handle]').count()).toBe(8)
    }
    const outline = await corner.evaluate(element => getComputedStyle(element).outlineStyle)
    expect(outline).toBe('solid')
    await expect(
      page.getByRole('group', { name: /^Part to keep: 1 × 1 pixels, 0 from the left/ }),
    ).toBeVisible()
  }
})

test('several pictures get an exact size, a turn and a logo at once', { tag: '@full' }, async ({ app }) => {
  const { page } = app
  const filled = (width: number, height: number, background: string) =>
    sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer()
  const [lake, field, logo] = await Promise.all([
    filled(400, 200, '#36c'),
    filled(100, 300, '#3c6'),
    filled(20, 20, '#f00'),
  ])
  await page.getByLabel('Files to convert').setInputFiles([
    { name: 'Lake.png', mimeType: 'image/png', buffer: lake },
    { name: 'Field.png', mimeType: 'image/png', buffer: field },
  ])
  // Options apply to the files that have been read.
  await expect(row(app, 'Lake.png')).toContainText('400 × 200')
  await expect(row(app, 'Field.png')).toContainText('100 × 300')
  await page.getByRole('button', { name: 'Width × height' }).click()
  const resize = page.getByRole('group', { name: 'Resize' })
  await resize.getByRole('textbox', { name: 'Width' }).fill('120')
  await resize.getByRole('textbox', { name: 'Height' }).fill('60')
  await resize.getByRole('combobox', { name: 'How it fits' }).click()
  await page.getByRole('option', { name: 'Filled, the rest cut off' }).click()
  await page.getByRole('button', { name: '90° clockwise' }).click()
  await page.getByRole('button', { name: 'All options' }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose…' }).click()
  await (await chooser).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo })
  await expect(page.getByRole('button', { name: 'Remove', exact: true })).toBeVisible()
  expect(await faultsOf(app)).toEqual([])
  await convert(app, 2)
  for (const name of ['Lake.jpg', 'Field.jpg']) {
    const { data, info } = await sharp(await saved(app, name))
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([120, 60])
    const middle = (30 * 120 + 60) * 3
    // Half of the logo's red.
    expect(data[middle]).toBeGreaterThan(120)
    expect(data[3]).toBeLessThan(90)
  }
})
