import type { Locator } from 'playwright/test'
import { isFull } from '../testing/fixtures/full.ts'
import { type App, expect, test } from './help/app.ts'
import { painted, sidewaysOf, violationsOf } from './help/faults.ts'
import { fixtures } from './help/fixtures.ts'
import { fakeSettings } from './help/shell.ts'
import { choose, convert } from './help/steps.ts'

const screens = [
  'convert',
  'history',
  'credits',
  'programs',
  'settings/general',
  'settings/desktop',
  'settings/conversions',
  'settings/api',
  'settings/about',
]

/** Screens with every kind of control, which are walked through by the Tab key in the short suite. */
const walked = new Set(['convert', 'history', 'settings/api'])

/** Screens that are judged by the accessibility rules at double size, too, or nowhere else, in the short suite. */
const judged = new Set(['convert', 'settings/desktop'])

/** What cannot be seen or reached on the current page. */
const faultsIn = ({ page }: App): Promise<string[]> =>
  page.evaluate(() => {
    const name = (element: Element) =>
      `${element.tagName.toLowerCase()} ${element.getAttribute('aria-label') ?? element.textContent ?? ''}`.slice(
        0,
        70,
      )
    const shown = [
      ...document.querySelectorAll(
        'button, a[href], input, textarea, select, [role="slider"], h1, h2, h3, th',
      ),
    ].filter(
      element =>
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
        !element.matches('.hidden-text, [inert] *, [aria-hidden="true"] *'),
    )
    const out = shown.filter(element => {
      const { left, right, width } = element.getBoundingClientRect()
      // Content that scrolls within its own box can be reached there.
      let box: Element | null = element.parentElement
      while (box && !/auto|scroll/.test(getComputedStyle(box).overflowX)) box = box.parentElement
      return (
        width > 1 &&
        !(box && !box.matches(':root, [data-scroller]') && box.scrollWidth > box.clientWidth) &&
        (left < -1 || right > innerWidth + 1)
      )
    })
    const moving = document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().activeDuration) > 50)
    return [
      ...out.map(element => `outside of the window: ${name(element)}`),
      ...(matchMedia('(prefers-reduced-motion)').matches && moving.length > 0
        ? [`${moving.length} animations`]
        : []),
    ]
  })

/** Controls without a visible focus, of all that the Tab key reaches. */
async function withoutFocus({ page }: App): Promise<string[]> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  const faults: string[] = []
  const seen = new Set<string>()
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    const found = await page.evaluate(() => {
      const element = document.activeElement
      if (!element || element === document.body) return null
      // A field may show its focus on the box around it.
      const around = [
        element,
        element.parentElement,
        element.nextElementSibling,
        element.parentElement?.parentElement,
      ]
      const isMarked = around.some(each => {
        if (!each) return false
        const { outlineStyle, outlineWidth, borderTopWidth, borderBottomWidth } = getComputedStyle(each)
        const isField =
          element.matches('input, textarea, select') &&
          (parseFloat(borderTopWidth) > 0 || parseFloat(borderBottomWidth) > 0)
        return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || isField
      })
      const id = element.outerHTML.slice(0, 160)
      return { id, isMarked }
    })
    // Once around.
    if (seen.size > 0 && (!found || seen.has(found.id))) break
    if (!found) continue
    seen.add(found.id)
    if (!found.isMarked) faults.push(`focus is not visible: ${found.id}`)
  }
  return faults
}

/** Buttons covered by the notice. */
const coveredBy = (notice: Locator): Promise<string[]> =>
  notice.evaluate(element => {
    const over = element.getBoundingClientRect()
    const others = [...document.querySelectorAll('button, a[href], input, [role="slider"]')].filter(
      each => !element.contains(each) && each.checkVisibility({ visibilityProperty: true }),
    )
    return others.flatMap(each => {
      const { left, right, top, bottom } = each.getBoundingClientRect()
      const meets = left < over.right && right > over.left && top < over.bottom && bottom > over.top
      // What has scrolled out of its list is not visible there.
      const shown = meets && document.elementsFromPoint((left + right) / 2, (top + bottom) / 2).includes(each)
      return shown ? [each.outerHTML.slice(0, 90)] : []
    })
  })

/**
 * Marks and fills that only differ in their background disappear when the system sets the colours, unless they are styled for
 * that.
 */
const vanishing = ({ page }: App): Promise<string[]> =>
  page.evaluate(() => {
    const fills = document.querySelectorAll(
      '[role="progressbar"] > *, [data-fill], .mantine-Switch-thumb, .mantine-Slider-bar, .mantine-SegmentedControl-label[data-active], [aria-current="page"], [aria-pressed="true"], [role="row"][aria-selected="true"], [role="option"][aria-selected="true"]',
    )
    return [...fills].flatMap(element => {
      if (!element.checkVisibility()) return []
      const { backgroundColor, forcedColorAdjust, outlineStyle, borderBlockEndWidth } =
        getComputedStyle(element)
      const isTold =
        forcedColorAdjust !== 'auto' || outlineStyle !== 'none' || parseFloat(borderBlockEndWidth) > 0
      return isTold ? [] : [`${element.outerHTML.slice(0, 90)} (${backgroundColor})`]
    })
  })

test("every screen keeps its controls visible: at double size, in the system's colours, and without motion", {
  tag: '@full',
}, async ({ app }) => {
  test.slow()
  const { page, url, apiKey } = app
  await fakeSettings(page, { keepUpdated: null, update: { kind: 'off' } })
  const form = new FormData()
  form.set('targetFormat', 'png')
  form.set(
    'file',
    new Blob(['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>']),
    'By a program.svg',
  )
  await fetch(`${url}/convert`, { method: 'POST', body: form, headers: { 'x-service-api-key': apiKey } })
  await page.reload()
  await page.getByLabel('Files to convert').setInputFiles([fixtures.gif, fixtures.jpg])
  await choose(app, 'Harbour at dusk.jpg', 'webp')
  await convert(app, 2)
  await expect(page.getByRole('link', { name: /^Download Harbour/ })).toBeVisible()
  for (const screen of screens) {
    await page.goto(`${url}/#/${screen}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    for (const forcedColors of ['none', 'active'] as const) {
      await page.emulateMedia({ forcedColors })
      // 1,280 px at 200 %.
      await page.setViewportSize(
        forcedColors === 'none' ? { width: 640, height: 400 } : { width: 1280, height: 800 },
      )
      await painted(page)
      if (process.env.REFILE_SHOTS)
        await page.screenshot({
          path: `${process.env.REFILE_SHOTS}/${screen.replace('/', '-')}-${forcedColors}.png`,
        })
      const faults = await faultsIn(app)
      const sideways = await sidewaysOf(page)
      if (sideways > 0) faults.push(`scrolls sideways by ${sideways} px`)
      if (forcedColors === 'active') {
        if (isFull || walked.has(screen)) faults.push(...(await withoutFocus(app)))
        faults.push(...(await vanishing(app)))
      } else if (isFull || judged.has(screen)) faults.push(...(await violationsOf(page)))
      expect.soft(faults, `${screen}, forced colours ${forcedColors}`).toEqual([])
    }
  }

  // A notice covers no button, beside the bar at the bottom and below popups.
  await page.goto(`${url}/#/convert`)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Commands' }).getByRole('option').first()).toBeVisible()
  expect(await vanishing(app)).toEqual([])
  await page.keyboard.press('Escape')
  await page.emulateMedia({ forcedColors: 'none' })
  await page.getByTitle('Traffic light.gif', { exact: true }).first().click()
  await choose(app, 'Traffic light.gif', 'webp')
  await page.getByRole('button', { name: 'Copy as curl command' }).click()
  const notice = page.locator('.mantine-Notification-root')
  await notice.hover()
  for (const width of [900, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 })
    await painted(page)
    expect(await coveredBy(notice), `${width} px wide`).toEqual([])
  }
  await page.setViewportSize({ width: 900, height: 800 })
  await page.getByRole('button', { name: 'Details' }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'Details' })).toBeInViewport({ ratio: 1 })
  await painted(page)
  expect(await coveredBy(notice)).toEqual([])
})
