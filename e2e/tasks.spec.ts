/** What people come for, each task to its end, and how many presses of the pointer it takes once the files are in the window. */
import { execFileSync } from 'node:child_process'
import {
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import type { Locator } from 'playwright/test'
import sharp from 'sharp'
import { heicOf } from '../testing/fixtures/heif.ts'
import { accountsOf, type Kind } from './help/accounts.ts'
import { type App, expect, start, template, test } from './help/app.ts'
import { faultsOf, violationsOf } from './help/faults.ts'
import { fixtures } from './help/fixtures.ts'
import { askedOf, fakeFiles } from './help/shell.ts'
import { choose, convert, countClicks, goTo, row } from './help/steps.ts'

/** A folder that results are saved to, and what the task has to do with it. */
interface Place {
  folder: string
  /** Waits until exactly these results are there. */
  holds(...names: string[]): Promise<void>
  path(name: string): string
}

interface Task {
  name: string
  /** Whether an ordinary run does it, too. */
  ordinary?: true
  /** How many presses a person needs. */
  goal: number
  account?: Kind
  /** Where results go: into a folder as a person has chosen once, or kept for download as at the first start. */
  to?: 'folder' | 'keep'
  /** What is there before the count begins. */
  before?(app: App, place: Place): Promise<unknown>
  do(app: App, place: Place): Promise<unknown>
}

type Given = string | { name: string; mimeType: string; buffer: Buffer }

const add = ({ page }: App, ...files: Given[]) =>
  // Playwright takes paths or contents, not both at once.
  page.getByLabel('Files to convert').setInputFiles(files as string[])

const press = ({ page }: App, name: string | RegExp) => page.getByRole('button', { name }).click()
const details = ({ page }: App): Locator => page.getByRole('complementary', { name: 'Details' })
const isDone = ({ page }: App, files: number) =>
  expect(page.getByText(new RegExp(`^${files} files? (converted|saved in .*)$`)).first()).toBeVisible()

async function saved({ page }: App, click: () => Promise<unknown>): Promise<string> {
  const download = page.waitForEvent('download')
  await click()
  return (await download).path()
}

const picture = async (name: string, colour = '#c63', edge = 64) => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: edge, height: edge, channels: 3, background: colour } })
    .png()
    .toBuffer(),
})

async function pdf(name: string, ...widths: number[]) {
  const made = await PDFDocument.create()
  for (const width of widths) made.addPage([width, 300]).drawText(`${width}`, { x: 20, y: 200 })
  return { name, mimeType: 'application/pdf', buffer: Buffer.from(await made.save()) }
}

const pagesOf = (path: string) =>
  Number(/Pages: +(\d+)/.exec(execFileSync('pdfinfo', [path]).toString())?.[1])

const secondsOf = (path: string) =>
  Number(execFileSync('ffprobe', ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', path]))

/** A file that is a picture by its header alone. */
const broken = async (name: string) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: (await readFile(fixtures.jpg)).subarray(0, 150),
})

/** Waits until all files have been read: what they can become is known, not only that they are there. */
async function ready({ page }: App, files: number): Promise<void> {
  const name = `Convert ${files} ${files === 1 ? 'file' : 'files'}`
  await expect(page.getByRole('button', { name })).toBeEnabled()
  await expect(page.getByText(/^Reading/)).toHaveCount(0)
}

const tasks: Task[] = [
  {
    name: 'a HEIC photo to JPEG',
    ordinary: true,
    goal: 1,
    async do(app, { holds, path }) {
      const { data } = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#c63' } })
        .raw()
        .toBuffer({ resolveWithObject: true })
      const buffer = heicOf({ data: new Uint8Array(data), width: 64, height: 64 } as never)
      await add(app, { name: 'IMG_1.heic', mimeType: '', buffer })
      await convert(app, 1)
      await holds('IMG_1.jpg')
      expect(await sharp(path('IMG_1.jpg')).metadata()).toMatchObject({ format: 'jpeg', width: 64 })
    },
  },
  {
    name: 'a video to at most 10 MB',
    goal: 3,
    async do(app, { holds, path }) {
      await add(app, fixtures.mp4)
      await press(app, 'Make it smaller')
      await press(app, '10 MB')
      await convert(app, 1)
      await holds('Clip.mp4')
      expect((await stat(path('Clip.mp4'))).size).toBeLessThan(10_000_000)
    },
  },
  {
    name: 'several PDFs joined into one',
    goal: 3,
    async do(app, { holds, path }) {
      await add(app, await pdf('One.pdf', 300), await pdf('Two.pdf', 400, 500))
      await ready(app, 2)
      await press(app, 'Join into one PDF')
      await press(app, 'Join 2 files')
      await expect(app.page.getByText('2 files joined')).toBeVisible()
      await convert(app, 1)
      await holds('One +1.pdf')
      expect(pagesOf(path('One +1.pdf'))).toBe(3)
    },
  },
  {
    name: 'a PDF split into its pages',
    goal: 2,
    async do(app, { holds, path }) {
      await add(app, await pdf('Letters.pdf', 300, 400))
      await press(app, 'Split a PDF')
      await convert(app, 1)
      await holds('Letters')
      expect((await readdir(path('Letters'))).toSorted()).toEqual(['Letters-1.pdf', 'Letters-2.pdf'])
    },
  },
  {
    name: 'a PDF cut between two of its pages',
    goal: 5,
    async do(app, { holds, path }) {
      const { page } = app
      await add(app, await pdf('Letters.pdf', 300, 400, 500))
      await press(app, 'Split a PDF')
      await details(app).getByRole('combobox', { name: 'Split', exact: true }).click()
      await page.getByRole('option', { name: /^A file for each part/ }).click()
      const pages = details(app).getByRole('list', { name: 'Pages', exact: true })
      await expect(pages.locator('img')).toHaveCount(3)
      await press(app, 'Cut after page 2')
      await expect(details(app).getByRole('textbox', { name: 'Pages', exact: true })).toHaveValue('1-2,3')
      // While a preview is being made, it is paler.
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      expect(await violationsOf(page)).toEqual([])
      await convert(app, 1)
      await holds('Letters')
      const [first, second, ...others] = (await readdir(path('Letters'))).toSorted()
      expect([pagesOf(path(`Letters/${first}`)), pagesOf(path(`Letters/${second}`)), others]).toEqual([
        2,
        1,
        [],
      ])
    },
  },
  {
    name: 'a result renamed in its row',
    goal: 1,
    async before(app, { holds, path }) {
      await add(app, await picture('Map.png'))
      await convert(app, 1)
      await holds('Map.jpg')
      await writeFile(path('Taken.jpg'), 'mine')
      // The page hears of it a moment later.
      await expect(app.page.getByRole('button', { name: 'Rename Map.jpg' })).toBeAttached()
    },
    async do(app, { holds, path }) {
      const { page } = app
      const field = page.getByRole('textbox', { name: 'Rename Map.jpg' })
      const line = row(app, 'Map.png')
      await page.getByRole('grid').focus()
      await page.keyboard.press('End')
      await page.keyboard.press('F2')
      await field.fill('Left')
      await page.keyboard.press('Escape')
      await expect(field).toBeHidden()
      await page.keyboard.press('F2')
      await field.fill('Taken')
      await page.keyboard.press('Enter')
      await expect(page.getByText(/already a file or folder called Taken.jpg/)).toBeVisible()
      await holds('Map.jpg', 'Taken.jpg')
      await page.keyboard.press('Escape')
      await press(app, 'Rename Map.jpg')
      await field.fill('Harbour')
      await page.keyboard.press('Enter')
      await expect(line).toContainText('Harbour.jpg')
      await holds('Harbour.jpg', 'Taken.jpg')
      expect(await readFile(path('Taken.jpg'), 'utf8')).toBe('mine')
    },
  },
  {
    name: 'a recording trimmed at both ends',
    goal: 3,
    async do(app, { holds, path }) {
      await add(app, fixtures.wav)
      await ready(app, 1)
      for (const [field, time] of [
        ['From', '0:01'],
        ['To', '0:02'],
      ] as const) {
        const box = details(app).getByRole('textbox', { name: field, exact: true })
        await box.click()
        await box.fill(time)
      }
      await convert(app, 1)
      await holds('Tuning fork.mp3')
      expect(secondsOf(path('Tuning fork.mp3'))).toBeCloseTo(1, 0)
    },
  },
  {
    name: 'a picture cropped',
    ordinary: true,
    goal: 2,
    async do(app, { holds, path }) {
      await add(app, fixtures.png)
      const frame = app.page.getByRole('group', { name: /^Part to keep: 800 × 600/ })
      await frame.scrollIntoViewIfNeeded()
      const { x, y, width, height } = (await frame.boundingBox())!
      await app.page.mouse.move(x + 1, y + 1)
      await app.page.mouse.down()
      await app.page.mouse.move(x + width / 2, y + height / 2, { steps: 4 })
      await app.page.mouse.up()
      await convert(app, 1)
      await holds('Floor plan.jpg')
      const shown = await sharp(path('Floor plan.jpg')).metadata()
      expect(Math.abs(shown.width - 400)).toBeLessThan(6)
    },
  },
  {
    name: 'a picture turned',
    goal: 2,
    async do(app, { holds, path }) {
      await add(app, fixtures.png)
      await press(app, '90° clockwise')
      await convert(app, 1)
      await holds('Floor plan.jpg')
      expect(await sharp(path('Floor plan.jpg')).metadata()).toMatchObject({ width: 600, height: 800 })
    },
  },
  {
    name: 'the last choice once more',
    goal: 1,
    async before(app, { holds }) {
      await add(app, fixtures.png)
      await choose(app, 'Floor plan.png', 'WebP')
      await convert(app, 1)
      await holds('Floor plan.webp')
      await press(app, 'Convert more')
    },
    async do(app, { holds }) {
      await add(app, await picture('Next.png'))
      await convert(app, 1)
      await holds('Floor plan.webp', 'Next.webp')
    },
  },
  {
    name: 'a folder watched',
    ordinary: true,
    goal: 5,
    account: 'owner',
    async do({ page, url }, { folder, holds }) {
      const from = join(folder, '..', 'scans')
      await mkdir(from)
      await page.goto(`${url}/#/settings/watch`)
      await page.getByRole('button', { name: 'Watch a folder' }).click()
      const dialog = page.getByRole('dialog', { name: 'Watch a folder' })
      await dialog.getByRole('textbox', { name: 'Folder', exact: true }).fill(from)
      await dialog.getByRole('combobox', { name: 'Convert to' }).click()
      await page.keyboard.type('webp')
      await page.getByRole('option', { name: 'WebP', exact: true }).click()
      const out = dialog.getByRole('textbox', { name: 'Folder for the results' })
      await out.click()
      await out.fill(folder)
      await dialog.getByRole('button', { name: 'Start watching' }).click()
      await expect(dialog).toBeHidden()
      await copyFile(fixtures.jpg, join(from, 'a.jpg'))
      await holds('a.webp')
    },
  },
  {
    name: "yesterday's result",
    ordinary: true,
    goal: 2,
    to: 'keep',
    async before(app) {
      await add(app, fixtures.png)
      await convert(app, 1)
      await isDone(app, 1)
      await press(app, 'Convert more')
    },
    async do(app) {
      await goTo(app, 'History')
      const path = await saved(app, () => app.page.getByRole('link', { name: 'Save Floor plan.jpg' }).click())
      expect((await sharp(path).metadata()).format).toBe('jpeg')
    },
  },
  {
    name: "yesterday's file in another format",
    goal: 3,
    async before(app, { holds }) {
      await add(app, fixtures.png)
      await convert(app, 1)
      await holds('Floor plan.jpg')
      await press(app, 'Convert more')
    },
    async do(app, { holds }) {
      await goTo(app, 'History')
      await press(app, 'Convert as…')
      await app.page.getByRole('option', { name: 'WebP' }).click()
      await holds('Floor plan.jpg', 'Floor plan.webp')
    },
  },
  {
    name: "all of yesterday's results of a batch",
    goal: 2,
    to: 'keep',
    async before(app) {
      await add(app, await picture('Scan 1.png'), await picture('Scan 2.png'))
      await convert(app, 2)
      await isDone(app, 2)
      await press(app, 'Convert more')
    },
    async do(app) {
      const { page } = app
      await goTo(app, 'History')
      const path = await saved(app, () => press(app, /^Save all of Scan \d\.png and 1 more$/))
      const names = execFileSync('unzip', ['-Z1', path]).toString().trim().split('\n')
      expect(names.toSorted()).toEqual(['Scan 1.jpg', 'Scan 2.jpg'])
      await page.getByRole('button', { name: /^2 files for Scan/ }).press('Enter')
      await expect(page.getByRole('link', { name: 'Save Scan 1.jpg' })).toBeVisible()
      expect(await faultsOf(app)).toEqual([])
    },
  },
  {
    name: 'a result copied to the clipboard',
    goal: 3,
    async before({ context }) {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    },
    async do(app) {
      const { page } = app
      await add(app, await picture('Map.png'))
      await convert(app, 1)
      await isDone(app, 1)
      await row(app, 'Map.png').getByTitle('Map.png').click({ button: 'right' })
      await page.getByRole('menuitem', { name: 'Copy the result' }).click()
      await expect(page.getByText('Copied')).toBeVisible()
      const width = await page.evaluate(async () => {
        const [item] = await navigator.clipboard.read()
        return (await createImageBitmap(await item!.getType('image/png'))).width
      })
      expect(width).toBe(64)
    },
  },
  {
    name: 'a watched folder that gets its results elsewhere',
    goal: 3,
    account: 'owner',
    async before(app, { folder, path }) {
      await mkdir(path('in'))
      await mkdir(path('out'))
      const data = { folder: path('in'), out: folder, target: 'webp', pattern: '*.{jpg,jpeg,jpe,jfif}' }
      await app.request.post(`${app.url}/app/watch`, { data })
      await app.page.goto(`${app.url}/#/settings/watch`)
    },
    async do(app, { path }) {
      const { page } = app
      await press(app, 'Change in to WebP')
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByRole('combobox', { name: 'Kind of files' })).toHaveValue('JPEG')
      expect(await violationsOf(page)).toEqual([])
      const out = dialog.getByRole('textbox', { name: 'Folder for the results' })
      await out.click()
      await out.fill(path('out'))
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(dialog).toBeHidden()
      await expect(page.getByRole('listitem', { name: 'in to WebP' })).toHaveCount(1)
      await copyFile(fixtures.jpg, join(path('in'), 'a.jpg'))
      await expect.poll(() => readdir(path('out')), { timeout: 60_000 }).toEqual(['a.webp'])
    },
  },
  {
    name: 'what a conversion will lose, seen before it runs, for two formats',
    ordinary: true,
    goal: 4,
    async do(app) {
      await add(app, fixtures.gif)
      await choose(app, 'Traffic light.gif', 'PNG')
      await expect(row(app, 'Traffic light.gif')).toContainText('Only one frame of the animation')
      await choose(app, 'Traffic light.gif', 'WebP')
      await expect(row(app, 'Traffic light.gif')).not.toContainText('Only one frame')
    },
  },
  {
    name: 'everything to one format',
    goal: 3,
    async do(app, { holds }) {
      await add(app, fixtures.jpg, fixtures.png, fixtures.gif)
      await ready(app, 3)
      await press(app, 'Convert everything to')
      await app.page.getByRole('option', { name: 'WebP', exact: true }).click()
      await convert(app, 3)
      await holds('Floor plan.webp', 'Harbour at dusk.webp', 'Traffic light.webp')
    },
  },
  {
    name: 'files made smaller in their own format',
    goal: 2,
    async do(app, { holds, path }) {
      await add(app, fixtures.jpg)
      await press(app, 'Make it smaller')
      await convert(app, 1)
      await holds('Harbour at dusk.jpg')
      expect((await stat(path('Harbour at dusk.jpg'))).size).toBeLessThan((await stat(fixtures.jpg)).size)
    },
  },
  {
    name: 'a picture below 200 KB',
    goal: 2,
    async do(app, { holds, path }) {
      await add(app, fixtures.png)
      await press(app, '200 KB')
      await convert(app, 1)
      await holds('Floor plan.jpg')
      expect((await stat(path('Floor plan.jpg'))).size).toBeLessThanOrEqual(200_000)
    },
  },
  {
    name: 'only one of two files',
    goal: 2,
    async do(app, { holds }) {
      await add(app, fixtures.png, fixtures.webp)
      await ready(app, 2)
      await row(app, 'Floor plan.png').getByTitle('Floor plan.png').click({ button: 'right' })
      await app.page.getByRole('menuitem', { name: 'Convert 1 of 2' }).click()
      await holds('Floor plan.jpg')
      await ready(app, 1)
    },
  },
  {
    name: 'all that failed tried again',
    goal: 1,
    async before(app) {
      await add(app, await broken('One.jpg'), await broken('Two.jpg'))
      await choose(app, 'Images', 'PNG')
      await convert(app, 2)
      await expect(app.page.getByText('2 files failed').first()).toBeVisible()
    },
    async do(app) {
      await press(app, 'Try 2 failed files again')
      const tries = async () => {
        const { items } = await (await app.request.get(`${app.url}/app/history`)).json()
        return items.map((item: { tries: number; status: string }) => `${item.tries} ${item.status}`)
      }
      await expect.poll(tries).toEqual(['2 Failed', '2 Failed'])
    },
  },
  {
    name: 'a result shown in its folder',
    goal: 2,
    async before({ page }, { folder }) {
      await fakeFiles(page, folder, folder)
      await page.reload()
    },
    async do(app, { path }) {
      await writeFile(path('Map.png'), (await picture('Map.png')).buffer)
      await add(app, path('Map.png'))
      await convert(app, 1)
      await press(app, 'Show in folder')
      expect(await askedOf(app.page)).toEqual([path('Map.jpg')])
    },
  },
  {
    name: 'a removal undone',
    goal: 2,
    async do(app) {
      await add(app, fixtures.png)
      await ready(app, 1)
      await press(app, 'Remove Floor plan.png')
      await expect(row(app, 'Floor plan.png')).toHaveCount(0)
      await press(app, 'Undo')
      await ready(app, 1)
    },
  },
  {
    name: 'more credits when they run out',
    goal: 3,
    account: 'poor',
    async do(app, { holds }) {
      const names = Array.from({ length: 6 }, (_, index) => `Scan ${index + 1}`)
      await add(app, ...(await Promise.all(names.map(name => picture(`${name}.png`)))))
      await convert(app, 6)
      await expect(app.page.getByText(/^Paused at 5 of 6/)).toBeVisible()
      await press(app, 'Top up')
      await press(app, /^Add [\d,]+ credits$/)
      await holds(...names.map(name => `${name}.jpg`))
    },
  },
  {
    name: 'a conversion canceled',
    goal: 2,
    async do(app, { holds }) {
      await add(app, fixtures.long)
      await convert(app, 1)
      await press(app, 'Cancel Long lecture.wav')
      await expect(row(app, 'Long lecture.wav')).toContainText('Canceled')
      await holds()
    },
  },
  {
    name: 'why a file cannot be converted',
    goal: 1,
    async do(app) {
      const buffer = Buffer.from('<html><body>Not found</body></html>')
      await add(app, await broken('photo.jpg'))
      await add(app, { name: 'notes.xyz', mimeType: '', buffer })
      await convert(app, 1)
      await expect(row(app, 'photo.jpg')).toContainText('The file is damaged')
    },
  },
  {
    name: 'a file converted with the keyboard alone',
    goal: 0,
    async do(app, { holds }) {
      await add(app, fixtures.png)
      await ready(app, 1)
      await app.page.keyboard.press('Control+Enter')
      await holds('Floor plan.jpg')
    },
  },
  {
    name: 'a PDF to Word',
    goal: 1,
    async do(app, { holds, path }) {
      await add(app, await pdf('Letter.pdf', 300))
      await convert(app, 1)
      await holds('Letter.docx')
      expect(execFileSync('unzip', ['-Z1', path('Letter.docx')]).toString()).toContain('word/document.xml')
    },
  },
  {
    name: 'a video to a GIF',
    goal: 2,
    async do(app, { holds, path }) {
      await add(app, fixtures.mp4)
      await press(app, 'Video to GIF')
      await convert(app, 1)
      await holds('Clip.gif')
      expect((await sharp(path('Clip.gif'), { animated: true }).metadata()).pages).toBeGreaterThan(9)
    },
  },
  {
    name: 'the sound of a video',
    goal: 3,
    async do(app, { holds, path }) {
      await add(app, fixtures.mp4)
      await choose(app, 'Clip.mp4', 'MP3')
      await convert(app, 1)
      await holds('Clip.mp3')
      expect(secondsOf(path('Clip.mp3'))).toBeCloseTo(2, 0)
    },
  },
  {
    name: 'the contents of a ZIP',
    goal: 1,
    async do(app, { folder, holds, path }) {
      await mkdir(path('in'))
      await writeFile(path('in/a.txt'), 'a')
      await writeFile(path('b.txt'), 'b')
      await utimes(path('b.txt'), 1_500_000_000, 1_500_000_000)
      execFileSync('zip', ['-qrm', 'Parts.zip', '.'], { cwd: folder })
      const buffer = await readFile(path('Parts.zip'))
      await rm(path('Parts.zip'))
      await add(app, { name: 'Parts.zip', mimeType: 'application/zip', buffer })
      await convert(app, 1)
      await holds('Parts')
      expect((await readdir(path('Parts'), { recursive: true })).toSorted()).toEqual([
        'b.txt',
        'in',
        'in/a.txt',
      ])
      expect((await stat(path('Parts/b.txt'))).mtimeMs).toBe(1_500_000_000_000)
    },
  },
  {
    name: 'all results at once',
    goal: 2,
    to: 'keep',
    async do(app) {
      await add(app, fixtures.png, fixtures.webp)
      await convert(app, 2)
      const path = await saved(app, () => press(app, 'Download all'))
      const names = execFileSync('unzip', ['-Z1', path]).toString().trim().split('\n')
      expect(names.toSorted()).toEqual(['Floor plan.jpg', 'Poster.jpg'])
    },
  },
  {
    name: 'a file compared with its result',
    goal: 2,
    async do(app) {
      await add(app, fixtures.png)
      await convert(app, 1)
      await row(app, 'Floor plan.png').hover()
      await press(app, /^Compare .* with the original$/)
      const boundary = app.page.getByRole('slider', { name: 'Boundary between before and after' })
      await expect(boundary.last()).toBeVisible()
    },
  },
  {
    name: "a preset of one's own, used for the next file",
    goal: 5,
    async do(app, { holds, path }) {
      const { page } = app
      await add(app, fixtures.png)
      await press(app, '200 KB')
      await press(app, 'More presets')
      await page.getByRole('menuitem', { name: 'Save as preset' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Forum')
      await press(app, 'Save preset')
      await expect(page.getByRole('button', { name: 'Forum' })).toBeVisible()
      await convert(app, 1)
      await holds('Floor plan.jpg')
      expect((await stat(path('Floor plan.jpg'))).size).toBeLessThanOrEqual(200_000)
    },
  },
]

for (const { name, ordinary, goal, account = 'usual', to = 'folder', before, do: act } of tasks)
  test.describe(() => {
    test.use({ account })
    test(`${name}: ${goal}`, { tag: ordinary ? [] : '@full' }, async ({ app }, info) => {
      const { page, url, request } = app
      const home = await mkdtemp(join(tmpdir(), 'refile-e2e-task-'))
      const folder = join(home, 'Results')
      await mkdir(folder)
      const place: Place = {
        folder,
        path: file => join(folder, file),
        holds: (...names) =>
          expect
            .poll(async () => (await readdir(folder)).toSorted(), { timeout: 60_000 })
            .toEqual(names.toSorted()),
      }
      if (to === 'folder') {
        const choice = {
          kind: 'folder',
          folder,
          name: '',
          keepFolders: true,
          keepDates: false,
          taken: 'number',
        }
        await request.put(`${url}/app/settings/destination`, { data: choice })
        await page.reload()
      }
      await before?.(app, place)
      const clicks = await countClicks(page)
      await act(app, place)
      const counted = await clicks()
      info.annotations.push({ type: 'presses', description: `${counted} of ${goal}` })
      expect(counted).toBe(goal)
      await rm(home, { recursive: true, force: true })
    })
  })

test('what is chosen for files is still there once the service was started anew', { tag: '@full' }, async ({
  page,
}) => {
  const home = await mkdtemp(join(tmpdir(), 'refile-e2e-anew-'))
  await cp(template(), home, { recursive: true })
  const { token } = (await accountsOf(home)).owner.pop()!
  const first = await start(home)
  await page.goto(`${first.url}/open?token=${token}`)
  await page.getByLabel('Files to convert').setInputFiles([fixtures.png, fixtures.mp4])
  await choose({ page }, 'Floor plan.png', 'GIF')
  await choose({ page }, 'Clip.mp4', 'MP3')
  await page.getByTitle('Floor plan.png', { exact: true }).click()
  // It is sent a moment later.
  const sent = page.waitForResponse(
    response =>
      response.url().endsWith('/app/files/choices') &&
      response.request().postData()?.includes('rotate') === true,
  )
  await page.getByRole('button', { name: '90° clockwise' }).click()
  await expect(row({ page }, 'Floor plan.png')).toContainText('Own options')
  await sent
  const stop = async ({ child }: typeof first) => {
    child.kill('SIGTERM')
    await new Promise(resolve => child.once('exit', resolve))
  }
  await stop(first)
  const second = await start(home, ['--port', new URL(first.url).port, '--open'])
  await page.reload()
  await expect(page.getByRole('button', { name: 'Target of Floor plan.png:' })).toContainText('GIF')
  await expect(page.getByRole('button', { name: 'Target of Clip.mp4:' })).toContainText('MP3')
  await expect(row({ page }, 'Floor plan.png')).toContainText('Own options')
  await stop(second)
  await rm(home, { recursive: true, force: true })
})
