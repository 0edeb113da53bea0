import { expect, test } from './app.ts'
import { askedOf, fakeSettings } from './shell.ts'

test('desktop settings have their own section, and the confinement of converters is shown', async ({
  app,
}) => {
  const { page, url } = app
  await page.goto(`${url}/#/settings/desktop`)
  await page.reload()
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

test('where the window has no bar of its own, nothing to press is in its place', async ({ app }) => {
  const { page, url } = app
  for (const name of ['', 'history', 'credits', 'programs', 'settings']) {
    await page.goto(`${url}/#/${name}`)
    await expect(page.locator('[data-scroller] > *').first()).toBeVisible()
    await page.addStyleTag({ content: ':root { --title-bar: 36px !important }' })
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
