import { readdir, readFile } from 'node:fs/promises'
import german from '../renderer/messages/translations/de.json' with { type: 'json' }
import { type App, expect, test } from './help/app.ts'
import { sidewaysOf, violationsOf } from './help/faults.ts'
import { fixtures } from './help/fixtures.ts'
import { convert, converted } from './help/steps.ts'

const pages = ['convert', 'history', 'credits', 'programs', 'settings']

/** Shows the page in a language, as if it had been chosen in the settings. */
async function setLanguage({ page }: Pick<App, 'page'>, language: string): Promise<void> {
  await page.evaluate(tag => localStorage.setItem('refile-language', tag), language)
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', language)
}

async function addFiles({ page }: Pick<App, 'page'>): Promise<void> {
  await page.locator('input[type=file]').first().setInputFiles([fixtures.jpg, fixtures.wav])
  await expect(page.getByText('Tuning fork').first()).toBeVisible()
  // The service's description of a file arrives once it is measured.
  await expect(page.getByText('0:03').first()).toBeVisible()
}

/** Follows the address to another page. */
async function open({ page }: Pick<App, 'page'>, name: string): Promise<void> {
  const heading = page.getByRole('heading', { level: 1 })
  const before = await heading.textContent()
  await page.evaluate(hash => {
    location.hash = hash
  }, `#/${name}`)
  // Each page has a heading of its own, and the table of files is where every test begins.
  if (name !== 'convert') await expect(heading).not.toHaveText(before ?? '')
  await expect(page.locator('.mantine-Loader-root:visible')).toHaveCount(0)
}

/** The service's German texts: names in the catalogue, and its messages, as shown on the page. */
async function germanOfService(): Promise<Set<string>> {
  const read = async (path: string): Promise<Record<string, string>> =>
    JSON.parse(await readFile(new URL(`../service/shared/messages/${path}`, import.meta.url), 'utf8'))
  return new Set(
    [await read('catalogue/de.json'), await read('translations/de.json')].flatMap(texts =>
      Object.values(texts),
    ),
  )
}

test('every text of the pages can be translated, as a whole, and longer words are not cut off', async ({
  app,
}) => {
  const { page } = app
  await page.setViewportSize({ width: 1280, height: 800 })
  // Invisible separators mark each text and take no room.
  const marked = Object.fromEntries(Object.entries(german).map(([key, text]) => [key, `\u2063${text}\u2064`]))
  await page.route(/\/assets\/de-[\w-]+\.js$/, route =>
    route.fulfill({ contentType: 'text/javascript', body: `export default ${JSON.stringify(marked)}` }),
  )
  await setLanguage(app, 'de')
  await addFiles(app)
  const known = await germanOfService()
  for (const name of pages) {
    await open(app, name)
    await expect(page.locator('main')).toContainText('\u2063')
    const texts = await page.evaluate(() => {
      const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const texts: string[] = []
      while (nodes.nextNode()) {
        const { parentElement: element, textContent } = nodes.currentNode
        // Names of files, programs and people, code and numbers are not texts of the page.
        const isData = element?.closest('script, style, code, pre, [data-verbatim], bdi, title')
        if (!isData && element?.checkVisibility() && textContent?.trim()) texts.push(textContent.trim())
      }
      return texts
    })
    const unmarked = texts.filter(text => {
      let rest = text
      while (/\u2063[^\u2063\u2064]*\u2064/.test(rest))
        rest = rest.replace(/\u2063[^\u2063\u2064]*\u2064/g, '')
      return /\p{L}/u.test(rest) && !known.has(text)
    })
    expect(
      unmarked.filter(text => !isName(text)),
      name,
    ).toEqual([])
    expect(await sidewaysOf(page)).toBeLessThan(1)
    expect(await cutOn(page), name).toEqual([])
  }
})

/** Known texts, or names of formats and of the product, suffixes of files, days and times. */
const isName = (text: string): boolean =>
  text.includes(' · ')
    ? text.split(' · ').every(isName)
    : /^\u2063[^\u2063\u2064]*\u2064$/.test(text) ||
      /^(Refile|[A-Z0-9./:+–-]+|\.?[a-z0-9]+|[\w ]+\.\w{2,5}|\d+\. \p{L}+\.?)$/u.test(text) ||
      /^(JPEG|WebP|Word|PDF\/A)/.test(text)

/** Buttons, labels and headings whose text extends beyond their edges. */
const cutOn = (page: App['page']): Promise<(string | null)[]> =>
  page.evaluate(() => {
    const reachesOver = (element: Element) => {
      const { left, right } = element.getBoundingClientRect()
      const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      while (nodes.nextNode()) {
        const text = document.createRange()
        text.selectNodeContents(nodes.currentNode)
        const around = text.getBoundingClientRect()
        const isHidden = nodes.currentNode.parentElement?.closest('.hidden-text')
        if (!isHidden && around.width > 0 && (around.left < left - 1 || around.right > right + 1)) return true
      }
      return false
    }
    return [...document.querySelectorAll('button, label, th, h1, h2, h3')]
      .filter(element => element.checkVisibility() && element.clientWidth > 0 && reachesOver(element))
      .map(element => element.textContent)
  })

test('nothing is cut off in any other language', { tag: '@full' }, async ({ app }) => {
  const { page } = app
  await page.setViewportSize({ width: 1280, height: 800 })
  await addFiles(app)
  const translations = await readdir(new URL('../renderer/messages/translations', import.meta.url))
  const languages = translations.map(name => name.replace('.json', ''))
  const screens = ['convert', 'settings']
  for (const language of languages.filter(tag => tag !== 'ar' && tag !== 'de')) {
    for (const name of screens) {
      await page.evaluate(hash => {
        location.hash = hash
      }, `#/${name}`)
      await setLanguage(app, language)
      await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
      await expect(page.locator('.mantine-Loader-root:visible')).toHaveCount(0)
      expect(await cutOn(page), `${name} in ${language}`).toEqual([])
      expect(await sidewaysOf(page), `${name} in ${language}`).toBeLessThan(1)
    }
  }
})

test('a narrow window says whole until when results are kept, in every language', { tag: '@full' }, async ({
  app,
}) => {
  const { page } = app
  await page.setViewportSize({ width: 1024, height: 700 })
  const buffer = (await readFile(fixtures.jpg)).subarray(0, 150)
  await page.getByLabel('Files to convert').setInputFiles(fixtures.jpg)
  await page
    .getByLabel('Files to convert')
    .setInputFiles({ name: 'Broken.jpg', mimeType: 'image/jpeg', buffer })
  await convert(app, 2)
  await converted(app)
  await expect(page.getByText('1 converted · 1 failed').last()).toBeVisible()
  const folder = new URL('../renderer/messages/translations/', import.meta.url)
  for (const name of await readdir(folder)) {
    const texts = JSON.parse(await readFile(new URL(name, folder), 'utf8'))
    await setLanguage(app, name.replace('.json', ''))
    const [around] = texts['convert.keptUntil']
      .split('{time}')
      .toSorted((a: string, b: string) => b.length - a.length)
    const kept = page.getByText(around.trim())
    await expect(kept).toBeVisible()
    const isWhole = kept.evaluate(element => {
      const isCut = ({ scrollWidth, clientWidth }: Element) => scrollWidth > clientWidth
      for (let box: Element | null = element; box; box = box.parentElement)
        if (getComputedStyle(box).overflowX !== 'visible' && isCut(box)) return false
      return true
    })
    expect(await isWhole, name).toBe(true)
  }
})

test.describe('every language', () => {
  for (const [language, direction] of [
    ['de', 'ltr'],
    ['ar', 'rtl'],
  ] as const) {
    test(`${language} meets the accessibility rules, and nothing is cut off or scrolls sideways`, {
      tag: '@full',
    }, async ({ app }) => {
      const { page } = app
      await page.setViewportSize({ width: 1280, height: 800 })
      await setLanguage(app, language)
      await expect(page.locator('html')).toHaveAttribute('dir', direction)
      await addFiles(app)
      for (const name of pages) {
        await open(app, name)
        expect(await violationsOf(page)).toEqual([])
        expect(await sidewaysOf(page)).toBeLessThan(1)
        expect(await cutOn(page), name).toEqual([])
      }
    })
  }
})
