/** The pictures of README and docs, taken of the built app with files made for them. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from './help/app.ts'
import { settled } from './help/faults.ts'
import { askedOf, fakeFiles } from './help/shell.ts'
import { convert } from './help/steps.ts'

const images = join(import.meta.dirname, '..', 'docs', 'images')

/** What README may ask a reader to load. */
const SCREENCAST_BYTES = 2_000_000

test.use({ viewport: { width: 1280, height: 800 }, account: 'owner' })

/** A landscape: sky, sun, hills, and the grain of a camera. */
async function landscape(
  path: string,
  sky: [string, string],
  hills: [string, string],
  sun: number,
): Promise<void> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="2400" height="1600">
    <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${sky[0]}"/><stop offset="1" stop-color="${sky[1]}"/></linearGradient></defs>
    <rect width="2400" height="1600" fill="url(#sky)"/><circle cx="${sun}" cy="720" r="150" fill="#fff4cf" opacity=".9"/>
    <path d="M0 1000 Q500 700 1000 960 T2000 900 T2600 1000 V1600 H0Z" fill="${hills[0]}"/>
    <path d="M0 1250 Q600 1000 1200 1220 T2500 1150 V1600 H0Z" fill="${hills[1]}"/></svg>`
  const grain = await sharp({
    create: {
      width: 2400,
      height: 1600,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 12 },
    },
  })
    .png()
    .toBuffer()
  await sharp(Buffer.from(svg))
    .composite([{ input: grain, blend: 'soft-light' }])
    .toFormat('jpeg', { quality: 92 })
    .toFile(path)
}

async function files(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'refile-pictures-'))
  const at = (name: string) => join(folder, name)
  await landscape(at('Evening by the lake.jpg'), ['#2b2d6b', '#f2a65a'], ['#3b3a68', '#1f1d3d'], 1700)
  await landscape(at('First snow.jpg'), ['#9cc5e8', '#eef6fb'], ['#c9d9e6', '#7d96ac'], 600)
  await landscape(at('Meadow in June.jpg'), ['#5fb2ea', '#dff1fb'], ['#7fb069', '#4d7c3a'], 1900)
  await writeFile(
    at('Travel notes.md'),
    '# Travel notes\n\nThe lake was **calm** that evening.\n\n- boat\n- lantern\n- bread\n',
  )
  const ffmpeg = (...args: string[]) =>
    execFileSync(process.env.REFILE_FFMPEG || 'ffmpeg', ['-hide_banner', '-v', 'error', '-y', ...args])
  ffmpeg(
    '-f',
    'lavfi',
    '-i',
    'sine=330:duration=24',
    '-f',
    'lavfi',
    '-i',
    'sine=495:duration=24',
    '-filter_complex',
    'amix,tremolo=f=0.3',
    at('Interview.wav'),
  )
  ffmpeg(
    '-f',
    'lavfi',
    '-i',
    'mandelbrot=size=640x360:rate=24',
    '-f',
    'lavfi',
    '-i',
    'sine=440',
    '-t',
    '4',
    '-pix_fmt',
    'yuv420p',
    at('Fractal.mp4'),
  )
  return [
    'Evening by the lake.jpg',
    'First snow.jpg',
    'Meadow in June.jpg',
    'Travel notes.md',
    'Interview.wav',
    'Fractal.mp4',
  ].map(at)
}

test('from the drop to the result', async ({ app }) => {
  const { page } = app
  await page.getByLabel('Files to convert').setInputFiles(await files())
  await expect(page.getByText('0:24')).toBeVisible()
  await page.getByRole('button', { name: 'For the web' }).click()
  await page.getByTitle('Evening by the lake.jpg').first().click()
  await expect(page.getByRole('slider', { name: 'Boundary between before and after' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Best/ })).toContainText('KB')
  await page.screenshot({ path: join(images, 'convert-light.png') })
  await convert(app, 6)
  await expect(page.getByText(/files (?:converted|saved)/).first()).toBeVisible({ timeout: 120_000 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.getByText('Making a preview')).toHaveCount(0)
  await page.waitForTimeout(800)
  await page.evaluate(() => Promise.all([...document.images].map(image => image.decode())))
  await page.waitForTimeout(500)
  await page.screenshot({ path: join(images, 'results-dark.png') })
})

test('every other screen, light and dark', async ({ app }) => {
  const { page, url, request } = app
  const paths = await files()
  await page.getByLabel('Files to convert').setInputFiles(paths)
  await expect(page.getByText('0:24')).toBeVisible()
  await convert(app, paths.length)
  await expect(page.getByText(/files (?:converted|saved)/).first()).toBeVisible({ timeout: 120_000 })
  const data = { name: 'Scanner in the office', monthlyBudget: 40 }
  const { secret } = await (await request.post(`${url}/app/keys`, { data })).json()
  for (const path of paths.slice(0, 3)) {
    const file = { name: basename(path), mimeType: 'image/jpeg', buffer: await readFile(path) }
    const headers = { 'x-service-api-key': secret, prefer: 'wait=30' }
    await request.post(`${url}/convert`, { headers, multipart: { targetFormat: 'avif', file } })
  }
  const open = async () => (await (await request.get(`${url}/app/history?state=open`)).json()).items.length
  await expect.poll(open, { timeout: 120_000 }).toBe(0)
  // The pointer would show what lies under it.
  await page.mouse.move(0, 0)
  for (const name of ['history', 'credits', 'programs', 'settings/conversions', 'settings/api']) {
    await page.goto(`${url}/#/${name}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
      await settled(page)
      const path = join(images, `${name.replace('settings/', 'settings-')}-${colorScheme}.webp`)
      await sharp(await page.screenshot())
        .webp({ quality: 80, effort: 6 })
        .toFile(path)
    }
  }
})

test('a screencast from the drop to the folder of the results', async ({ app }) => {
  const { page } = app
  const frames: Buffer[] = []
  const delays: number[] = []
  /** Shows the page as it stands for so long. */
  const show = async (ms: number) => {
    frames.push(await page.screenshot())
    delays.push(ms)
  }
  const paths = await files()
  const folder = dirname(paths[0] ?? '')
  // As in its own window: results are saved beside the originals.
  await fakeFiles(page, folder, folder)
  await page.reload()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible()
  await show(1200)
  // Files hover over the window.
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([''], 'file'))
    document.body.dispatchEvent(new DragEvent('dragenter', { bubbles: true, dataTransfer }))
  })
  await show(700)
  await page.evaluate(() => document.body.dispatchEvent(new DragEvent('drop', { bubbles: true })))
  await page.getByLabel('Files to convert').setInputFiles(paths)
  await expect(page.getByText('0:24')).toBeVisible()
  await show(1100)
  await page.getByRole('button', { name: 'For the web' }).hover()
  await show(500)
  await page.getByRole('button', { name: 'For the web' }).click()
  await page.getByTitle('Evening by the lake.jpg').first().click()
  const boundary = page.getByRole('slider', { name: 'Boundary between before and after' })
  await expect(boundary).toBeVisible()
  await show(1500)
  await page.getByRole('button', { name: 'Convert 6 files' }).hover()
  await show(500)
  await convert(app, 6)
  for (let step = 0; step < 30 && (await page.getByText(/files (?:converted|saved)/).count()) === 0; step++)
    await show(160)
  await expect(page.getByText(/files (?:converted|saved)/).first()).toBeVisible({ timeout: 120_000 })
  await show(1500)
  await page.getByRole('button', { name: /^Compare Evening by the lake/ }).click()
  const inDialog = page.getByRole('dialog').getByRole('slider', { name: 'Boundary between before and after' })
  await expect(inDialog).toBeVisible()
  await inDialog.focus()
  for (const key of [
    'ArrowLeft',
    'ArrowLeft',
    'ArrowLeft',
    'ArrowRight',
    'ArrowRight',
    'ArrowRight',
    'ArrowRight',
    'ArrowRight',
  ]) {
    await show(260)
    for (let times = 0; times < 6; times++) await page.keyboard.press(key)
  }
  await show(1400)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await show(700)
  // The file manager opens at the result; here it is only noted what would be shown.
  const reveal = page.getByRole('button', { name: /^Show Evening by the lake.* in its folder$/ })
  await reveal.hover()
  await page.waitForTimeout(500)
  await show(1700)
  await reveal.click()
  expect(await askedOf(page)).toEqual([join(folder, 'Evening by the lake.webp')])
  await show(1800)
  const small = await Promise.all(frames.map(frame => sharp(frame).resize(960).png().toBuffer()))
  const path = join(images, 'screencast.webp')
  await sharp(small, { join: { animated: true } })
    .webp({ quality: 62, effort: 4, delay: delays, loop: 0, minSize: true })
    .toFile(path)
  expect((await stat(path)).size).toBeLessThan(SCREENCAST_BYTES)
})
