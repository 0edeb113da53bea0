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
