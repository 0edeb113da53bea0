import { expect, test } from './help/app.ts'
import { faultsOf } from './help/faults.ts'

test('the settings list the speech models and the languages of text recognition and fonts, and refuse an invalid file', {
  tag: '@full',
}, async ({ app }) => {
  const { page } = app
  await page.goto(`${app.url}/#/settings/conversions`)
  const models = page.getByRole('region', { name: 'Speech models' })
  await expect(models.getByRole('button', { name: /^Download Whisper/ })).toHaveCount(8)
  await expect(models.getByRole('listitem', { name: 'Whisper base', exact: true })).toContainText(
    'recommended for Fast',
  )
  await page.getByLabel('Choose the file of a speech model').setInputFiles({
    ...{ name: 'ggml-base.bin', mimeType: 'application/octet-stream' },
    buffer: Buffer.from('This is no model.'),
  })
  await expect(page.getByText('not one of the models listed')).toBeVisible()
  const languages = page.getByRole('region', { name: 'Languages of text recognition' })
  await expect(languages.getByRole('listitem', { name: 'German', exact: true })).toContainText('deu')
  await expect(languages.getByRole('button', { name: /^Download/ })).toHaveCount(54)
  await expect(languages.getByRole('listitem', { name: 'Noto Sans Bengali', exact: true })).toBeVisible()
  expect(await faultsOf(app)).toEqual([])
})
