import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import type { Page, Route } from 'playwright/test'
import sharp from 'sharp'
import { isFull } from '../testing/fixtures/full.ts'
import { expect, test } from './help/app.ts'
import { askedOf, fakeFiles } from './help/shell.ts'
import { choose, convert, row } from './help/steps.ts'

/** A picture of one colour. */
const picture = (size: number) =>
  sharp({ create: { width: size, height: size, channels: 3, background: '#c63' } })
    .png()
    .toBuffer()

/** Many files of one content, named `Scan 1.png` and so on. */
const scans = (count: number, buffer: Buffer) =>
  Array.from({ length: count }, (_, index) => ({
    name: `Scan ${index + 1}.png`,
    mimeType: 'image/png',
    buffer,
  }))

const add = (page: Page, files: ReturnType<typeof scans>) =>
  page.getByLabel('Files to convert').setInputFiles(files)

test('staged files and their targets survive a reload, and closing the window loses no result', {
  tag: '@full',
}, async ({ app }) => {
  const { page, url } = app
  const count = isFull ? 40 : 12
  const files = scans(count, await picture(64))
  await add(page, files)
  const ready = page.getByRole('button', { name: 'Target of Images:' })
  await expect(ready).toBeEnabled()
  await expect(page.getByRole('button', { name: `Convert ${count} files` })).toBeEnabled()
  await expect(page.getByText(/^Reading/)).toHaveCount(0)
  await choose(app, 'Images', 'WebP')
  await page.reload()
  await expect(page.getByRole('button', { name: `Convert ${count} files` })).toBeEnabled()
  await expect(ready).toContainText('WebP')
  await convert(app, count)
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  await page.close()

  const again = await app.context.newPage()
  await again.goto(url)
  await expect(again.getByText(`${count} files converted`).first()).toBeVisible()
  await expect(again).toHaveTitle('Convert · Refile')
  await expect(again.getByRole('grid')).toHaveAttribute('aria-rowcount', `${count + 2}`)
  const saving = again.waitForEvent('download')
  await again.getByRole('button', { name: 'Download all' }).click()
  const names = execFileSync('unzip', ['-Z1', await (await saving).path()])
    .toString()
    .trim()
    .split('\n')
  expect(names.toSorted()).toEqual(files.map(({ name }) => name.replace('png', 'webp')).toSorted())

  // Cleared permanently once it can no longer be undone.
  await again.clock.install()
  await again.getByRole('button', { name: 'Convert more' }).click()
  await expect(again.getByText(`${count} files are in the history`)).toBeVisible()
  await again.clock.runFor(11_000)
  await expect(again.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  await expect.poll(async () => (await app.request.get(`${url}/app/batches`)).json()).toEqual([])
})

test('a result whose name is taken is saved under a number once it is asked for, with the date of its original', {
  tag: '@full',
}, async ({ app }) => {
  const { page, url, request } = app
  const folder = await mkdtemp(join(tmpdir(), 'refile-e2e-taken-'))
  const original = join(folder, 'Scan.png')
  const date = new Date('2001-02-03T04:05:06Z')
  await writeFile(original, await picture(64))
  await utimes(original, date, date)
  await writeFile(join(folder, 'Scan.jpg'), 'mine')
  const saveTo = { kind: 'folder', folder, name: '', keepFolders: false, keepDates: true, taken: 'ask' }
  expect((await request.put(`${url}/app/settings/destination`, { data: saveTo })).ok()).toBe(true)
  await page.reload()
  await page.getByLabel('Files to convert').setInputFiles(original)
  await choose(app, 'Scan.png', 'JPEG')
  await convert(app, 1)
  await expect(row(app, 'Scan.png')).toContainText('A file named Scan.jpg already exists.')
  await page.getByRole('button', { name: 'Save Scan.jpg with a number added' }).click()
  await expect.poll(() => readdir(folder)).toContain('Scan (2).jpg')
  await expect(page.getByRole('button', { name: 'Save Scan.jpg with a number added' })).toHaveCount(0)
  expect((await stat(join(folder, 'Scan (2).jpg'))).mtime).toEqual(date)
  await rm(folder, { recursive: true })
})

test.describe('with one file at a time', () => {
  test.use({ account: 'patient' })

  test('everything is paused, resumed and canceled, and counted right', { tag: '@full' }, async ({ app }) => {
    const { page } = app
    // Large and in a slow format, so that it is not through before it is canceled.
    await add(page, scans(14, await picture(800)))
    await choose(app, 'Images', 'AVIF')
    await convert(app, 14)
    await page.getByRole('button', { name: 'Pause' }).click()
    await expect(page.getByText(/^Paused at \d+ of 14$/)).toBeVisible()
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect(page.getByText(/^\d+ of 14/)).toBeVisible()
    await page.getByRole('button', { name: 'Cancel Scan 14.png' }).click()
    await expect(row(app, 'Scan 14.png')).toContainText('Canceled')
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Pause' })).toHaveCount(0)
    await expect(row(app, 'Scan 13.png')).toContainText('Canceled')
    await expect(page).toHaveTitle('Convert · Refile')
  })
})

test.describe('with 5 credits', () => {
  test.use({ account: 'poor' })

  test('what runs out of credits pauses, and resumes after a top-up; what fails is not counted as done', {
    tag: '@full',
  }, async ({ app }) => {
    const { page } = app
    await add(page, scans(8, await picture(64)))
    await choose(app, 'Images', 'JPEG')
    await expect(page.getByText('3 credits short')).toBeVisible()
    await convert(app, 8)
    await expect(page.getByText(/^Paused at 5 of 8/)).toBeVisible()
    await expect(page.getByText(/The next file costs 1 credit/)).toBeVisible()

    await page.getByRole('button', { name: 'Top up' }).click()
    await page.getByRole('button', { name: /^Add [\d,]+ credits$/ }).click()
    await expect(page.getByText('8 files converted').first()).toBeVisible()

    const [good, ...rest] = scans(4, await picture(64))
    await add(page, [{ ...good!, buffer: good!.buffer.subarray(0, 70) }, ...rest])
    await convert(app, 4)
    await expect(page.getByText('11 converted · 1 failed').first()).toBeVisible()
  })
})

test('in the desktop shell files are read where they are and results saved to a folder', {
  tag: '@full',
}, async ({ app }) => {
  const { page, context, url } = app
  const folder = await mkdtemp(join(tmpdir(), 'refile-desktop-'))
  try {
    const target = join(folder, 'Converted')
    await mkdir(target)
    for (const name of ['Map.png', 'Chart.png']) await writeFile(join(folder, name), await picture(64))
    const pdf = await PDFDocument.create()
    for (const width of [300, 400]) pdf.addPage([width, 300])
    await writeFile(join(folder, 'Letters.pdf'), await pdf.save())
    await page.close()
    const window = await context.newPage()
    await fakeFiles(window, folder, target)
    const uploads: string[] = []
    window.on('request', request => {
      if (request.method() === 'POST' && request.url().endsWith('/app/files'))
        uploads.push(request.headers()['content-type'] ?? '')
    })
    await window.goto(url)
    await window
      .getByLabel('Files to convert')
      .setInputFiles([join(folder, 'Map.png'), join(folder, 'Chart.png')])
    await choose({ page: window }, 'Images', 'JPEG')
    const saveTo = window.getByRole('button', { name: /^Save to/ })
    await expect(saveTo).toContainText('beside the originals')
    await saveTo.click()
    await window.getByRole('radio', { name: 'a folder' }).click()
    await expect(window.getByTitle(target, { exact: true })).toBeVisible()
    await window.getByLabel('File name').fill('{name}-{width}')
    await window.keyboard.press('Escape')
    await expect(saveTo).toContainText('-64.jpg')
    await convert({ page: window }, 2)
    await window.getByRole('button', { name: 'Show Map.jpg in its folder' }).click()
    expect(await askedOf(window)).toEqual([join(target, 'Map-64.jpg')])
    await expect(window.getByRole('button', { name: 'Show Chart.jpg in its folder' })).toBeVisible()
    await expect(window.getByText('2 files converted').first()).toBeVisible()
    expect(uploads).toEqual(['application/json', 'application/json'])
    // The pages of a PDF come as files, in a folder.
    await window.getByLabel('Files to convert').setInputFiles(join(folder, 'Letters.pdf'))
    await choose({ page: window }, 'Letters.pdf', 'JPEG')
    await convert({ page: window }, 1)
    await window.getByRole('button', { name: 'Show Letters in its folder' }).click()
    expect((await askedOf(window)).at(-1)).toBe(join(target, 'Letters'))
    expect((await readdir(join(target, 'Letters'))).toSorted()).toEqual(['Letters-1.jpg', 'Letters-2.jpg'])
    expect((await readdir(target)).toSorted()).toEqual(['Chart-64.jpg', 'Letters', 'Map-64.jpg'])
    expect(await sharp(join(target, 'Map-64.jpg')).metadata()).toMatchObject({ format: 'jpeg', width: 64 })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('what is interrupted goes on by itself: files that were not sent, and a press that was not answered', async ({
  app,
}) => {
  const { page } = app
  let refused = 0
  const gone = (route: Route) => (refused++ < 6 ? route.abort('connectionrefused') : route.continue())
  await page.route(/\/app\/(?:files|batches)$/, route =>
    route.request().method() === 'POST' ? gone(route) : route.continue(),
  )
  await add(page, scans(3, await picture(64)))
  await page.getByRole('button', { name: 'Convert 3 files' }).click()
  await expect(page.getByText('3 files converted').first()).toBeVisible({ timeout: 60_000 })
  expect(refused).toBeGreaterThan(6)
})
