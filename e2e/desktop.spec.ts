import { expect, test } from './app.ts'

test('what the desktop does is set in a section of its own, and what shuts converters off is told', async ({
  app,
}) => {
  const { page, url } = app
  await page.goto(`${url}/#/settings/desktop`)
  await page.reload()
  // Without the shell there is no such section.
  await expect(page.getByRole('link', { name: 'Desktop' })).toHaveCount(0)
  await page.addInitScript(() => {
    const settings = {
      keepRunning: false,
      startAtLogin: true,
      fileManager: null,
      update: { kind: 'ready', version: '9.1' },
    }
    const asked: string[] = []
    Object.assign(globalThis, {
      asked,
      refile: {
        settings: async () => ({ ...settings }),
        changeSettings: async (change: object) => {
          asked.push(JSON.stringify(change))
          return { ...Object.assign(settings, change) }
        },
        installUpdate: async () => void asked.push('install'),
      },
    })
  })
  await page.reload()
  const toggle = (name: string) => page.getByRole('switch', { name })
  await expect(toggle('Start when I sign in')).toBeChecked()
  await expect(toggle('“Convert with Refile” in the file manager')).toBeDisabled()
  await toggle('Keep running when the window is closed').check({ force: true })
  await expect(toggle('Keep running when the window is closed')).toBeChecked()
  await page.getByRole('button', { name: 'Restart now' }).click()
  expect(await page.evaluate(() => (globalThis as unknown as { asked: string[] }).asked)).toEqual([
    '{"keepRunning":true}',
    'install',
  ])
  await page.getByRole('link', { name: 'About' }).click()
  await expect(
    page.getByRole('list', { name: 'Protection while converting' }).getByRole('listitem'),
  ).toHaveCount(3)
  await expect(page.getByRole('list', { name: 'Engines' }).getByRole('listitem').first()).toBeVisible()
})
