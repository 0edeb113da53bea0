import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import type { Locator, Page } from 'playwright/test'
import sharp from 'sharp'
import { isFull } from '../testing/fixtures/full.ts'
import { type App, expect, test } from './help/app.ts'
import { faultsOf, violationsOf } from './help/faults.ts'
import { fixtures } from './help/fixtures.ts'
import { choose, convert, row } from './help/steps.ts'

const picture = async (name: string, width: number, height: number) => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width, height, channels: 3, background: '#c63' } })
    .png()
    .toBuffer(),
})

/** A PDF of one page, in points. */
async function letter(name: string, width: number, height: number) {
  const pdf = await PDFDocument.create()
  pdf.addPage([width, height])
  return { name, mimeType: 'application/pdf', buffer: Buffer.from(await pdf.save()) }
}

/** Whether each page of a PDF is higher than wide, square or wider, as poppler sees it. */
function shapesOf(path: string): string[] {
  const printed = execFileSync('pdfinfo', ['-f', '1', '-l', '9', path]).toString()
  return [...printed.matchAll(/Page +\d+ size: +([\d.]+) x ([\d.]+)/g)].map(([, width, height]) => {
    const ratio = Number(width) / Number(height)
    return ratio < 0.95 ? 'high' : ratio > 1.05 ? 'wide' : 'square'
  })
}

const names = (dialog: Locator) =>
  dialog
    .getByRole('listitem')
    .locator('[title]')
    .evaluateAll(all => all.map(each => each.getAttribute('title')))

async function addThree({ page }: App): Promise<void> {
  // The table shows documents after pictures, whatever was added first.
  await page.getByLabel('Files to convert').setInputFiles([await letter('Letter.pdf', 300, 300)])
  await expect(page.getByRole('button', { name: 'Target of Letter.pdf:' })).toBeVisible()
  const pictures = [await picture('Scan 10.png', 120, 240), await picture('Scan 2.png', 240, 120)]
  await page.getByLabel('Files to convert').setInputFiles(pictures)
  for (const { name } of pictures)
    await expect(page.getByRole('button', { name: `Target of ${name}:` })).toBeVisible()
}

test('files are joined into one PDF in the order of the table, changed by the keyboard and by dragging', {
  tag: '@full',
}, async ({ app }) => {
  const { page } = app
  await addThree(app)
  await page.getByRole('button', { name: 'Join into one PDF' }).click()
  const dialog = page.getByRole('dialog', { name: 'Join into one PDF' })
  await expect.poll(() => names(dialog)).toEqual(['Scan 2.png', 'Scan 10.png', 'Letter.pdf'])

  const handle = (name: string) => dialog.getByRole('button', { name: `Move ${name}` })
  await handle('Letter.pdf').press('Home')
  await expect.poll(() => names(dialog)).toEqual(['Letter.pdf', 'Scan 2.png', 'Scan 10.png'])
  await expect(handle('Letter.pdf')).toBeFocused()
  await expect(dialog.getByRole('status')).toHaveText('Letter.pdf: 1 of 3')

  await dialog.getByText('Pages', { exact: true }).click()
  await expect(dialog.locator('img')).toHaveCount(3)
  for (const media of [{ colorScheme: 'dark' }, { forcedColors: 'active' }] as const) {
    await page.emulateMedia(media)
    // Which colours the system sets is its business.
    const except = 'forcedColors' in media ? ['color-contrast'] : []
    expect(await violationsOf(page, ['[role=dialog]'], except), JSON.stringify(media)).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
  await handle('Letter.pdf').press('ArrowRight')
  await expect.poll(() => names(dialog)).toEqual(['Scan 2.png', 'Letter.pdf', 'Scan 10.png'])
  await handle('Letter.pdf').press('ArrowLeft')
  const [from, to] = [await handle('Scan 10.png').boundingBox(), await handle('Letter.pdf').boundingBox()]
  await page.mouse.move(from!.x + 10, from!.y + 10)
  await page.mouse.down()
  await page.mouse.move(to!.x + 10, to!.y + 10, { steps: 8 })
  await page.mouse.up()
  await expect.poll(() => names(dialog)).toEqual(['Scan 10.png', 'Letter.pdf', 'Scan 2.png'])
  // The pointer moves nothing after it has let go.
  await page.mouse.move(from!.x + 10, from!.y + 10)
  await expect.poll(() => names(dialog)).toEqual(['Scan 10.png', 'Letter.pdf', 'Scan 2.png'])
  expect(await faultsOf(app)).toEqual([])

  await dialog.getByRole('button', { name: 'Join 3 files' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('row', { selected: true })).toContainText('Scan 10 +2')
  await convert(app, 1)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: /^Download Scan 10/ }).click()
  expect(shapesOf(await (await download).path())).toEqual(['high', 'square', 'wide'])
})

test('joining can be chosen before there are files, and asks once all have been read', {
  tag: '@full',
}, async ({ app }) => {
  const { page } = app
  const goal = page.getByRole('button', { name: 'Join into one PDF' })
  await goal.click()
  await expect(goal).toHaveAttribute('aria-pressed', 'true')
  await page.getByLabel('Files to convert').setInputFiles([await letter('Letter.pdf', 300, 300)])
  await expect(page.getByRole('button', { name: 'Target of Letter.pdf:' })).toBeVisible()
  // One file is not enough.
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByLabel('Files to convert').setInputFiles([await picture('Scan.png', 120, 240)])
  const dialog = page.getByRole('dialog', { name: 'Join into one PDF' })
  await expect.poll(() => names(dialog)).toEqual(['Scan.png', 'Letter.pdf'])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await expect(row(app, 'Scan.png')).toBeVisible()
})

/** Length in seconds, and titles of the chapters, as ffprobe sees them. */
function chaptersOf(path: string): { seconds: number; titles: (string | undefined)[] } {
  const shown = ['-show_format', '-show_chapters', '-of', 'json']
  const { format, chapters } = JSON.parse(
    execFileSync('ffprobe', ['-v', 'error', ...shown, path]).toString(),
  ) as {
    format: { duration: string }
    chapters: { tags?: { title?: string } }[]
  }
  return { seconds: Math.round(Number(format.duration)), titles: chapters.map(({ tags }) => tags?.title) }
}

const joins = [
  { kind: 'recording', fixture: 'wav', target: 'MP3', joined: 6 },
  { kind: 'video', fixture: 'mp4', target: 'MP4', joined: 4 },
] as const

for (const { kind, fixture, target, joined } of joins)
  test(`several files become one ${kind}, with a chapter for each`, { tag: '@full' }, async ({ app }) => {
    const { page } = app
    const buffer = await readFile(fixtures[fixture])
    const files = ['Dawn', 'Dusk'].map(name => ({ name: `${name}.${fixture}`, mimeType: '', buffer }))
    await page.getByLabel('Files to convert').setInputFiles(files)
    await page.getByRole('button', { name: `Join into one ${kind}` }).click()
    const dialog = page.getByRole('dialog', { name: `Join into one ${kind}` })
    await dialog.getByRole('button', { name: `Move Dusk.${fixture}` }).press('Home')
    await dialog.getByRole('button', { name: 'Join 2 files' }).click()
    await expect(page.getByRole('button', { name: 'Target of Dusk +1:' })).toContainText(target)
    await convert(app, 1)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: /^Download Dusk/ }).click()
    const { seconds, titles } = chaptersOf(await (await download).path())
    expect({ seconds, titles }).toEqual({ seconds: joined, titles: ['Dusk', 'Dawn'] })
  })

test('"Make it smaller" and "Video to GIF", chosen on the first screen, set the target of what is added', {
  tag: '@full',
}, async ({ app }) => {
  const { page } = app
  await page.getByRole('button', { name: 'Make it smaller' }).click()
  await page.getByRole('button', { name: 'Video to GIF' }).click()
  await expect(page.getByRole('button', { name: 'Make it smaller' })).toHaveAttribute('aria-pressed', 'false')
  await page.getByLabel('Files to convert').setInputFiles(fixtures.mp4)
  await expect(page.getByRole('button', { name: 'Target of Clip.mp4:' })).toContainText('GIF')
  // Its speech is offered as a transcript, after its audio.
  await page.getByRole('button', { name: 'Target of Clip.mp4:' }).click()
  await expect(page.getByRole('option').first()).not.toContainText('Transcript')
  await expect(page.getByRole('option', { name: 'Transcript: PDF' })).toBeVisible()
  await expect(page.getByRole('option', { name: 'PDF', exact: true })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await convert(app, 1)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download Clip.gif' }).click()
  const path = await (await download).path()
  expect(await sharp(path, { animated: true }).metadata()).toMatchObject({
    format: 'gif',
    width: 320,
    pages: 24,
  })

  // The same goal for files that are there already.
  const vectorGraphic = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  const svg = { name: 'Sign.svg', mimeType: 'image/svg+xml', buffer: vectorGraphic }
  await page.getByLabel('Files to convert').setInputFiles(svg)
  await page.getByLabel('Files to convert').setInputFiles(fixtures.jpg)
  await expect(page.getByRole('button', { name: 'Target of Harbour at dusk.jpg:' })).toBeVisible()
  await page.getByRole('button', { name: 'Make it smaller' }).click()
  const smaller = async () => {
    await expect(page.getByRole('button', { name: 'Target of Harbour at dusk.jpg:' })).toContainText('JPEG')
    await expect(page.getByText('1 file stays as it is')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Target of Sign.svg:' })).toContainText('As it is')
    await expect(page.getByRole('button', { name: 'Convert 2 files' })).toBeEnabled()
  }
  await smaller()
  // Neither a reload nor another window forgets it.
  await page.reload()
  await smaller()
  await expect(page.getByRole('button', { name: 'Target of Clip.mp4:' })).toContainText('MP4')
  const targetIn = (window: Page) => window.getByRole('button', { name: 'Target of Clip.mp4:' })
  const other = await app.context.newPage()
  await other.goto(app.url)
  await expect(targetIn(other)).toContainText('MP4')
  // What is chosen, added and removed in one window happens in the other.
  await choose({ ...app, page: other }, 'Clip.mp4', 'GIF')
  await expect(targetIn(page)).toContainText('GIF')
  await page.getByLabel('Files to convert').setInputFiles(fixtures.png)
  const plans = [page, other].map(window => row({ ...app, page: window }, 'Floor plan.png'))
  for (const plan of plans) await expect(plan).toHaveCount(1)
  const waiting: { files: { id: string }[] } = await (await app.request.get(`${app.url}/app/files`)).json()
  const data = { ids: waiting.files.map(({ id }) => id) }
  await app.request.post(`${app.url}/app/files/remove`, { data })
  for (const plan of plans) await expect(plan).toHaveCount(0)
})

test('three words stand beside the size that they lead to, and the estimate says for how many files', {
  tag: '@full',
}, async ({ app }) => {
  const { page } = app
  const details = page.getByRole('complementary', { name: 'Details' })
  await page.getByLabel('Files to convert').setInputFiles(fixtures.jpg)
  await choose(app, 'Harbour at dusk.jpg', 'WebP')
  const estimateOf = async (word: string) => {
    const button = details.getByRole('button', { name: new RegExp(`^${word} ?[\\d.]+ [KM]?B$`) })
    return (await button.textContent())!.slice(word.length)
  }
  const sizes = [await estimateOf('Small'), await estimateOf('Balanced'), await estimateOf('Best')]
  expect(sizes.map(Number.parseFloat)).toEqual(sizes.map(Number.parseFloat).toSorted((a, b) => a - b))
  expect(new Set(sizes).size).toBe(3)
  await details.getByRole('button', { name: /^Small/ }).click()
  await expect(details.getByRole('textbox', { name: 'Quality' })).toHaveValue('55')
  await expect(page.getByRole('region', { name: 'Preview' })).toHaveAttribute('aria-busy', 'false')
  if (isFull) expect(await faultsOf(app)).toEqual([])
  await convert(app, 1)
  await expect(row(app, 'Harbour at dusk.jpg')).toContainText(sizes[0]!)

  const two = ['One.jpg', 'Two.jpg'].map(async name => ({
    ...(await picture(name, 800, 600)),
    mimeType: 'image/jpeg',
    buffer: await readFile(fixtures.jpg),
  }))
  await page.getByRole('button', { name: 'Convert more' }).click()
  await page.getByLabel('Files to convert').setInputFiles(await Promise.all(two))
  await choose(app, 'Images', 'WebP')
  await expect(details.getByText(/^about .* for 2 files$/)).toBeVisible()
  await expect(details.getByRole('button', { name: /^Best ?≈/ })).toBeVisible()
})

test('a video is cut at the frame that the player shows', { tag: '@full' }, async ({ app }) => {
  const { page } = app
  const folder = await mkdtemp(join(tmpdir(), 'refile-e2e-frames-'))
  const path = join(folder, 'Numbers.mp4')
  const source = ['-f', 'lavfi', '-i', 'testsrc=duration=2:size=160x120:rate=25', '-pix_fmt', 'yuv420p']
  execFileSync(process.env.REFILE_FFMPEG || 'ffmpeg', ['-v', 'error', ...source, path])
  await page.getByLabel('Files to convert').setInputFiles(path)
  await choose(app, 'Numbers.mp4', 'GIF')
  const details = page.getByRole('complementary', { name: 'Details' })
  const time = details.getByRole('timer')
  await expect(time).toHaveText('0:00')
  const forward = details.getByRole('button', { name: 'Frame forward' })
  for (let frame = 0; frame < 10; frame++) await forward.click()
  await expect(time).toHaveText('0:00.4')
  await details.getByRole('button', { name: 'Start here' }).click()
  await expect(details.getByRole('textbox', { name: 'From' })).toHaveValue('0:00.4')
  for (let frame = 0; frame < 6; frame++) await forward.click()
  await details.getByRole('button', { name: 'Frame back' }).click()
  await details.getByRole('button', { name: 'End here' }).click()
  await expect(details.getByRole('textbox', { name: 'To', exact: true })).toHaveValue('0:00.64')
  expect(await faultsOf(app)).toEqual([])
  await details
    .getByRole('button', { name: 'All options' })
    .click()
    .catch(() => {})
  await details.getByRole('textbox', { name: 'Frame rate' }).fill('25')
  await convert(app, 1)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download Numbers.gif' }).click()
  // The frames 10 to 15, as another program counts them.
  const { pages } = await sharp(await (await download).path(), { animated: true }).metadata()
  expect(pages).toBe(6)
  await rm(folder, { recursive: true })
})

test('a file becomes several things at once', { tag: '@full' }, async ({ app }) => {
  const { page } = app
  await page.getByLabel('Files to convert').setInputFiles([fixtures.jpg, fixtures.png])
  await choose(app, 'Images', 'WebP')
  await page.getByTitle('Harbour at dusk.jpg', { exact: true }).click()
  const details = page.getByRole('complementary', { name: 'Details' })
  await details.getByRole('button', { name: 'Another result of this file' }).click()
  const rows = row(app, 'Harbour at dusk.jpg')
  await expect(rows).toHaveCount(2)
  // It stands below the first, is selected, and begins with the same target.
  await expect(rows.nth(1)).toHaveAttribute('aria-selected', 'true')
  await expect(rows.nth(1)).toContainText('WebP')
  await details.getByRole('button', { name: '720p', exact: true }).click()
  await expect(rows.nth(0)).not.toContainText('Own options')
  await expect(rows.nth(1)).toContainText('Own options')
  await convert(app, 3)
  const links = page.getByRole('link', { name: 'Download Harbour at dusk.webp' })
  await expect(links).toHaveCount(2)
  const widths = []
  for (const index of [0, 1]) {
    const download = page.waitForEvent('download')
    await links.nth(index).click()
    widths.push((await sharp(await (await download).path()).metadata()).width)
  }
  expect(widths).toEqual([1600, 1280])
  await page.reload()
  await expect(rows).toHaveCount(2)
})

test('how exactly a thing is done stands behind a question mark', { tag: '@full' }, async ({ app }) => {
  const { page } = app
  await page.getByLabel('Files to convert').setInputFiles(fixtures.wav)
  await choose(app, 'Tuning fork.wav', 'MP3')
  const details = page.getByRole('complementary', { name: 'Details' })
  await expect(details.getByText('Brings the whole recording to one loudness.')).toBeVisible()
  await expect(page.getByText('dBTP')).toHaveCount(0)
  const mark = details.getByRole('button', { name: 'More about “Even out the loudness”' })
  await mark.click()
  await expect(page.getByText('dBTP')).toBeVisible()
  expect(await faultsOf(app)).toEqual([])
  await mark.press('Escape')
  await expect(page.getByText('dBTP')).toHaveCount(0)
})
