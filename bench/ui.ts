/**
 * The page's performance in a real browser against the built service: the time to the first row and the first thumbnail of 5,000 files,
 * layout shift while they are added and converted with one press, long tasks, memory, and what is loaded at the start. Run
 * `npm run build` first.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium, type Page } from 'playwright'
import sharp from 'sharp'
import { reportMost, startBuiltService } from './harness.ts'

const MANY_FILES = Number(process.env.BENCH_FILES ?? 5000)
const MAX_SHIFT = 0.02
const FIRST_ROW_MS = 150
/** After the first row. */
const FIRST_THUMBNAIL_MS = 100
const HEAP_MEGABYTES = 60
const FIRST_PAGE_KILOBYTES = 240
/** How long all of them may take to be read and converted. */
const RUN_MS = 1_800_000

interface Seen {
  shift: number
  tasks: number[]
}

/** Records layout shifts and long tasks from the start of each page. */
function watch(): void {
  const seen: Seen = { shift: 0, tasks: [] }
  Object.assign(globalThis, { seen })
  new PerformanceObserver(list => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number
      hadRecentInput: boolean
    })[]) {
      if (!entry.hadRecentInput) seen.shift += entry.value
    }
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) seen.tasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })
}

const seenBy = (page: Page) => page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen)

/** Creates the files to be dropped in the page beforehand, so that creating them is not measured. */
async function prepare(page: Page, count: number, content: string): Promise<void> {
  await page.evaluate(
    ({ count, content }) => {
      const bytes = Uint8Array.from(atob(content), char => char.charCodeAt(0))
      const data = new DataTransfer()
      for (let index = 1; index <= count; index++) {
        data.items.add(new File([bytes], `Picture ${index}.png`, { type: 'image/png' }))
      }
      Object.assign(globalThis, { data })
    },
    { count, content },
  )
  // The observer reports the creation of the files a moment later.
  await page.waitForTimeout(1000)
  await page.evaluate(() => {
    ;(globalThis as unknown as { seen: Seen }).seen.tasks.length = 0
  })
}

/** Drops the files and returns the milliseconds until the first row and the first thumbnail are drawn. */
const drop = (page: Page): Promise<{ row: number; thumbnail: number }> =>
  page.evaluate(async () => {
    const start = performance.now()
    const drawn = (selector: string) =>
      new Promise<number>(resolve => {
        const look = () => {
          if (document.querySelector(selector)) resolve(performance.now() - start)
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      })
    const shown = [drawn('[role="row"][aria-selected]'), drawn('[role="row"] img')] as const
    const dataTransfer = (globalThis as unknown as { data: DataTransfer }).data
    document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))
    const [row, thumbnail] = await Promise.all(shown)
    return { row, thumbnail }
  })

function reportBundles(): void {
  const folder = join(import.meta.dirname, '..', 'dist', 'renderer')
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const names = readdirSync(join(folder, 'assets')).filter(name => html.includes(name))
  const kilobytes = (suffix: string) =>
    names
      .filter(name => name.endsWith(suffix))
      .reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, 'assets', name))).length / 1000, 0)
  reportMost(
    'scripts and style sheets of the first page, gzip',
    kilobytes('.js') + kilobytes('.css'),
    FIRST_PAGE_KILOBYTES,
    'kB',
  )
}

const picture = (
  await sharp({ create: { width: 64, height: 64, channels: 3, background: '#c63' } })
    .png()
    .toBuffer()
).toString('base64')
const browser = await chromium.launch({
  executablePath: process.env.REFILE_CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})

/** Megabytes of the page's heap, without garbage. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1e6
}

reportBundles()
const service = await startBuiltService()
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
await page.addInitScript(watch)
await page.goto(service.pageUrl)
await page.getByLabel('Files to convert').waitFor({ state: 'attached' })
await prepare(page, MANY_FILES, picture)
const start = Date.now()
const { row, thumbnail } = await drop(page)
// One press, while they are still being read.
await page.getByRole('button', { name: /^Convert [\d,]+ files$/ }).click()
await page
  .getByText(`${MANY_FILES.toLocaleString('en')} files converted`)
  .first()
  .waitFor({ timeout: RUN_MS })
const run = Date.now() - start
reportMost(`first row of ${MANY_FILES} files`, row, FIRST_ROW_MS, 'ms')
const cause = 'the page adds the other rows meanwhile'
reportMost('first thumbnail after it', thumbnail - row, FIRST_THUMBNAIL_MS, 'ms', cause)
const { shift, tasks } = await seenBy(page)
reportMost('layout shift while they are added and converted', shift, MAX_SHIFT)
const busy = tasks.reduce((sum, task) => sum + task, 0)
reportMost('share of the run spent in long tasks', (busy / run) * 100, 10, '%')
reportMost(`heap with ${MANY_FILES} files`, await heapOf(page), HEAP_MEGABYTES, 'MB')
await browser.close()
await service.stop()
