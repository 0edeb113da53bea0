import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import sharp from 'sharp'
import { type App, expect, test } from './app.ts'
import { choose, goTo } from './steps.ts'

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

const batch = (page: Page, name: string) => page.getByRole('article', { name })

/** Presses Convert, which leads to the jobs. */
async function convert(app: App, count: number): Promise<void> {
  const noun = count === 1 ? 'file' : 'files'
  await app.page.getByRole('button', { name: `Convert ${count} ${noun}` }).click()
  await expect(app.page.getByRole('heading', { level: 1, name: 'Jobs' })).toBeVisible()
}

test('staged files survive a reload, and a batch the end of its page', async ({ app }) => {
  const { page, url } = app
  await add(page, scans(40, await picture(64)))
  await expect(page.getByRole('region', { name: /^40 files: PNG/ })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('region', { name: /^40 files: PNG/ })).toBeVisible()
  await choose(app, 'PNG', 'JPEG')
  await convert(app, 40)
  await page.waitForTimeout(1000)
  await page.close()

  const again = await app.context.newPage()
  await again.goto(`${url}/#/jobs`)
  const card = batch(again, '40 PNG to JPEG')
  await expect(card).toContainText('40 of 40 done')
  await expect(again).toHaveTitle('Jobs · Refile')
  const saving = again.waitForEvent('download')
  await card.getByRole('button', { name: 'Save all: 40 PNG to JPEG' }).click()
  const names = execFileSync('unzip', ['-Z1', await (await saving).path()])
    .toString()
    .trim()
    .split('\n')
  expect(names.toSorted()).toEqual(
    Array.from({ length: 40 }, (_, index) => `Scan ${index + 1}.jpg`).toSorted(),
  )
  await card.getByRole('button', { name: /^Show files/ }).click()
  await expect(card.getByRole('listitem')).toHaveCount(40)
})

test.describe('with one slot', () => {
  test.use({ environment: { REFILE_SLOTS: '1' } })

  test('batches are paused, resumed, moved and canceled, and counted right', async ({ app }) => {
    const { page } = app
    // Large and in a slow format, so that the second batch is not through before it is canceled.
    const content = await picture(800)
    await add(page, scans(16, content))
    await choose(app, 'PNG', 'WebP')
    await convert(app, 16)
    const first = batch(page, '16 PNG to WebP')
    await first.getByRole('button', { name: /^Pause/ }).click()
    await expect(first).toContainText('Paused')
    await expect(first).toContainText(/\d+ waiting/)

    await goTo(app, 'Convert')
    await add(page, scans(14, content))
    await choose(app, 'PNG', 'AVIF')
    await convert(app, 14)
    const second = batch(page, '14 PNG to AVIF')
    await second.getByRole('button', { name: /^Move up/ }).click()
    await expect(page.getByRole('article').first()).toHaveAccessibleName('14 PNG to AVIF')
    await second.getByRole('button', { name: /^Cancel: 14/ }).click()
    await expect(second).toContainText(/\d+ canceled/)
    await expect(second.getByRole('button', { name: /^Pause/ })).toHaveCount(0)

    await first.getByRole('button', { name: /^Resume/ }).click()
    await expect(first).toContainText('16 of 16 done', { timeout: 60_000 })
    await expect(page.getByText('16 files converted', { exact: true })).toHaveCount(1)
    await expect(page).toHaveTitle('Jobs · Refile')
  })
})

test.describe('with 5 credits', () => {
  test.use({ environment: { REFILE_FREE_CREDITS: '5' } })

  test('a batch that runs out of credits pauses, and resumes after a top-up; what fails is not counted as done', async ({
    app,
  }) => {
    const { page } = app
    await add(page, scans(8, await picture(64)))
    await choose(app, 'PNG', 'JPEG')
    await expect(page.getByText('You are 3 credits short.')).toBeVisible()
    await convert(app, 8)
    const card = batch(page, '8 PNG to JPEG')
    await expect(card).toContainText('5 of 8 done')
    await expect(card).toContainText('Paused')
    await expect(card).toContainText('The next file costs 1 credit')

    await goTo(app, 'Credits')
    await page.getByRole('button', { name: 'Top up' }).click()
    await page.getByRole('button', { name: /^Add [\d,]+ credits$/ }).click()
    await expect(page.getByRole('row', { name: /Top-up/ })).toBeVisible()
    await goTo(app, 'Jobs')
    await expect(card).toContainText('8 of 8 done')
    await expect(page.getByText('8 files converted', { exact: true })).toHaveCount(1)

    await goTo(app, 'Convert')
    const [good, ...rest] = scans(4, await picture(64))
    await add(page, [{ ...good!, buffer: good!.buffer.subarray(0, 70) }, ...rest])
    await convert(app, 4)
    const mixed = batch(page, '4 PNG to JPEG')
    await expect(mixed).toContainText('3 of 4 done')
    await expect(mixed).toContainText('1 failed')
    await expect(page.getByText('3 converted, 1 failed')).toBeVisible()
  })
})

test('in the desktop shell files are read where they are and results saved to a folder', async ({ app }) => {
  const { page, context, url } = app
  const folder = await mkdtemp(join(tmpdir(), 'refile-desktop-'))
  try {
    const target = join(folder, 'Converted')
    await mkdir(target)
    for (const name of ['Map.png', 'Chart.png']) await writeFile(join(folder, name), await picture(64))
    await page.close()
    const window = await context.newPage()
    // What the preload script offers; paths are made from names as a real shell knows them.
    await window.addInitScript(
      ({ folder, target }) => {
        Object.assign(globalThis, {
          refile: {
            platform: 'linux',
            pathForFile: (file: File) => `${folder}/${file.name}`,
            chooseFolder: async () => target,
            reveal: async () => {},
            notify: async () => {},
            onOpened: () => () => {},
          },
        })
      },
      { folder, target },
    )
    const uploads: string[] = []
    window.on('request', request => {
      if (request.method() === 'POST' && request.url().endsWith('/app/files'))
        uploads.push(request.headers()['content-type'] ?? '')
    })
    await window.goto(url)
    await window
      .getByLabel('Files to convert')
      .setInputFiles([join(folder, 'Map.png'), join(folder, 'Chart.png')])
    await choose({ ...app, page: window }, 'PNG', 'JPEG')
    const saveTo = window.getByRole('button', { name: /^Save to/ })
    await expect(saveTo).toContainText('beside the originals')
    await saveTo.click()
    await window.getByRole('radio', { name: 'a folder' }).click()
    await expect(window.getByTitle(target, { exact: true })).toBeVisible()
    await window.getByLabel('Name of results').fill('{name}-{width}')
    await window.keyboard.press('Escape')
    await expect(saveTo).toContainText('-1920.jpg')
    await window.getByRole('button', { name: 'Convert 2 files' }).click()
    const card = batch(window, '2 PNG to JPEG')
    await expect(card).toContainText('2 of 2 done')
    await expect(card).toContainText(`Saved to ${target}`)
    expect(uploads).toEqual(['application/json', 'application/json'])
    expect((await readdir(target)).toSorted()).toEqual(['Chart-64.jpg', 'Map-64.jpg'])
    expect(await sharp(join(target, 'Map-64.jpg')).metadata()).toMatchObject({ format: 'jpeg', width: 64 })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
