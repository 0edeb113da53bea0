import { expect, test } from './app.ts'

test('a typeface that cannot be loaded leaves the page readable', async ({ app: { page } }) => {
  await page.route('**/*.woff2', route => route.abort())
  await page.reload()
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible()
})

test('the last choices are read once at the start', async ({ app: { page } }) => {
  const asked: string[] = []
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible()
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  await page.reload()
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible()
  expect(asked.filter(path => path === '/app/choices')).toHaveLength(1)
})
