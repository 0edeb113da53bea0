import { expect, test } from './help/app.ts'
import { faultsOf } from './help/faults.ts'
import { fixtures } from './help/fixtures.ts'
import { converted } from './help/steps.ts'

test('everything can be done by typing its name, from any page', { tag: '@full' }, async ({ app }) => {
  const { page } = app
  const palette = page.getByRole('dialog', { name: 'Commands' })
  const search = palette.getByRole('combobox', { name: 'Search commands' })
  const type = async (words: string, first: string) => {
    await page.keyboard.press('Control+k')
    await search.fill(words)
    await expect(palette.getByRole('option').first()).toContainText(first)
    await expect(palette.getByRole('option', { selected: true })).toContainText(first)
    await page.keyboard.press('Enter')
    await expect(palette).toHaveCount(0)
  }
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible()
  await type('histo', 'History')
  await expect(page.getByRole('heading', { level: 1, name: 'History' })).toBeFocused()

  // Files can be added from every page.
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), type('add files', 'Add files')])
  await chooser.setFiles([fixtures.gif, fixtures.jpg])
  await expect(page.getByRole('button', { name: 'Target of Traffic light.gif:' })).toBeVisible()
  await type('everything to webp', 'WebP')
  await expect(page.getByRole('button', { name: 'Target of Harbour at dusk.jpg:' })).toContainText('WebP')
  await type('smaller', 'Make it smaller')
  await expect(page.getByRole('button', { name: 'Make it smaller' })).toHaveAttribute('aria-pressed', 'true')
  await type('theme dark', 'Dark')
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')

  await page.getByRole('button', { name: 'Commands' }).click()
  await expect(search).toBeFocused()
  expect(await faultsOf(app)).toEqual([])
  await search.press('ArrowUp')
  // The selection wraps around, and the last command is a language.
  await expect(palette.getByRole('option', { selected: true })).toHaveText('简体中文')
  await search.fill('nothing like it')
  await expect(palette.getByText('No command matches.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Commands' })).toBeFocused()

  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(list).toContainText('Ctrl+Shift+O')
  await expect(list).toContainText('F2')
  expect(await faultsOf(app)).toEqual([])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Enter')
  await converted(app)
  await expect(page.getByRole('link', { name: /^Download Traffic light/ })).toBeVisible()
})
