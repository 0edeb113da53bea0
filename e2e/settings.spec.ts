import { expect, test } from './help/app.ts'

test('what is chosen in the settings holds at once, and after a reload', async ({ app }) => {
  const { page, url } = app
  const choose = async (name: string, option: string) => {
    await page.getByRole('combobox', { name }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await page.goto(`${url}/#/settings/conversions`)
  await choose('What stays of camera data', 'Nothing')
  await page.getByRole('link', { name: 'General' }).click()
  const html = page.locator('html')
  await page.getByRole('radiogroup', { name: 'Theme' }).getByText('Dark').click()
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await choose('Language', 'Deutsch')
  await expect(html).toHaveAttribute('lang', 'de')
  await page.goto(`${url}/#/settings/conversions`)
  await page.reload()
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await expect(page.getByRole('combobox', { name: 'Was von Kameradaten bleibt' })).toHaveValue('Nichts')
})
