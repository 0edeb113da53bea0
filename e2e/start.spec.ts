import { expect, test } from './help/app.ts'

test('the page is readable without its typeface, and reads the last choices once', async ({
  app: { page },
}) => {
  const asked: string[] = []
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible()
  await page.route('**/*.woff2', route => route.abort())
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  await page.reload()
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible()
  expect(asked.filter(path => path === '/app/choices')).toHaveLength(1)
})
