import { readFile } from 'node:fs/promises'
import { expect, test } from './help/app.ts'
import { askedOf, fakeSettings } from './help/shell.ts'

test('desktop settings have their own section, and the confinement of converters is shown', async ({
  app,
}) => {
  const { page, url } = app
  await page.goto(`${url}/#/settings/desktop`)
  await expect(page.getByRole('link', { name: 'About' })).toBeVisible()
  // Without the shell there is no such section.
  await expect(page.getByRole('link', { name: 'Desktop' })).toHaveCount(0)
  await fakeSettings(page, { startAtLogin: true, fileManager: null })
  await page.reload()
  const toggle = (name: string) => page.getByRole('switch', { name })
  await expect(toggle('Start when I sign in')).toBeChecked()
  await expect(toggle('“Convert with Refile” in the file manager')).toBeDisabled()
  await toggle('Keep running when the window is closed').check({ force: true })
  await expect(toggle('Keep running when the window is closed')).toBeChecked()
  await page.getByRole('button', { name: 'Restart now' }).click()
  await toggle('Keep Refile up to date').uncheck({ force: true })
  expect(await askedOf(page)).toEqual(['{"keepRunning":true}', 'install', '{"keepUpdated":false}'])
  await page.getByRole('link', { name: 'About' }).click()
  await expect(
    page.getByRole('list', { name: 'Protection while converting' }).getByRole('listitem'),
  ).toHaveCount(3)
  await expect(page.getByRole('list', { name: 'Engines' }).getByRole('listitem').first()).toBeVisible()
})

test('the bridge to the shell needs no more than a sandboxed script may load', async () => {
  const script = await readFile(new URL('../dist/preload/preload.cjs', import.meta.url), 'utf8')
  expect([...script.matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name)).toEqual(['electron'])
})

test('where the window has no bar of its own, nothing to press is in its place', { tag: '@full' }, async ({
  app,
}) => {
  const { page, url } = app
  await page.addInitScript(() => {
    const style = Object.assign(document.createElement('style'), {
      textContent: ':root { --title-bar: 36px !important }',
    })
    addEventListener('DOMContentLoaded', () => document.head.append(style))
  })
  await page.reload()
  for (const name of ['Convert', 'History', 'Credits', 'Programs', 'Settings']) {
    await page.goto(`${url}/#/${name.toLowerCase()}`)
    await expect(page.getByRole('heading', { level: 1, name })).toBeAttached()
    const tops = await page.evaluate(() =>
      [...document.querySelectorAll('a, button, input, h1')]
        .filter(each => each.checkVisibility() && each.getBoundingClientRect().bottom > 0)
        .map(each => each.getBoundingClientRect().top),
    )
    expect(tops.length).toBeGreaterThan(4)
    expect(Math.min(...tops)).toBeGreaterThanOrEqual(36)
    // Only that place itself moves the window.
    const moves = await page.evaluate(() =>
      [...document.querySelectorAll('*')]
        .filter(each => getComputedStyle(each).getPropertyValue('-webkit-app-region') === 'drag')
        .map(each => each.getBoundingClientRect().height),
    )
    expect(moves).toEqual([36])
  }
})

/** Extremes of what a system can have as its accent. */
const ACCENTS = ['#000', '#fff', '#f00', '#ff0', '#0f0', '#0ff', '#00f', '#f0f', '#0078d4']

/** What is written on what, as variables of the style sheet. */
const WRITTEN = [
  ['on-fill', 'brand'],
  ['on-fill', 'brand-pressed'],
  ['brand', 'surface'],
  ['brand-ink', 'surface'],
  ['brand-ink', 'page'],
  ['brand-ink', 'brand-tint'],
  ['brand-ink', 'brand-tint-hover'],
  ['ink-3', 'brand-tint'],
  ['attention-ink', 'brand-tint'],
  ['danger', 'brand-tint'],
  ['rail-ink', 'rail'],
  ['rail-ink', 'rail-hover'],
] as const

test("the system's accent colours the page on request, legible whatever it is", { tag: '@full' }, async ({
  app,
}) => {
  const { page, url } = app
  await fakeSettings(page)
  await page.goto(`${url}/#/settings/general`)
  await page.reload()
  const brand = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--brand'))
  const own = await brand()
  const choice = page.getByRole('radiogroup', { name: 'Accent colour' })
  await choice.getByText('The system’s').click()
  await expect.poll(brand).not.toBe(own)
  await page.reload()
  await expect(choice.getByRole('radio', { name: 'The system’s' })).toBeChecked()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
    const faint = await page.evaluate(
      ({ accents, written }) => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 })
        const context = canvas.getContext('2d', { willReadFrequently: true })!
        const probe = document.body.appendChild(document.createElement('i'))
        probe.style.transition = 'none'
        /** Relative luminance, after the browser has fitted the colour into sRGB. */
        const luminance = (name: string) => {
          probe.style.color = `var(--${name})`
          context.fillStyle = getComputedStyle(probe).color
          context.fillRect(0, 0, 1, 1)
          const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data].map(byte =>
            byte <= 10 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
          )
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue
        }
        return accents.flatMap(accent => {
          document.documentElement.style.setProperty('--accent', accent)
          return written.flatMap(([ink, ground]) => {
            const [low = 0, high = 0] = [luminance(ink), luminance(ground)].sort((a, b) => a - b)
            const contrast = (high + 0.05) / (low + 0.05)
            return contrast < 4.5 ? [`${accent}: ${ink} on ${ground} ${contrast.toFixed(2)}`] : []
          })
        })
      },
      { accents: ACCENTS, written: WRITTEN },
    )
    expect(faint, colorScheme).toEqual([])
  }
})
