import { writeFile } from 'node:fs/promises'
import { expect, test } from './help/app.ts'

test('the page is readable without its typeface, and reads once what was chosen, and first what the first screen needs', async ({
  app: { page },
}) => {
  const asked: string[] = []
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible()
  await page.route('**/*.woff2', route => route.abort())
  // What was chosen is asked for before it is known who asks.
  const isAsked = page.waitForRequest('**/app/settings')
  await page.route('**/app/session', route => isAsked.then(() => route.continue()))
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  page.on('requestfinished', request => asked.push(`read ${new URL(request.url()).pathname}`))
  await page.reload()
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible()
  for (const once of ['/app/choices', '/app/settings', '/app/presets'])
    expect(asked.filter(path => path === once)).toEqual([once])
  await expect(page.getByText('Everything Refile converts')).toBeVisible()
  const known = asked.indexOf('read /app/files')
  for (const later of ['/convert/conversions', '/assets/Screen-'])
    expect(
      asked.findIndex(path => path.startsWith(later)),
      later,
    ).toBeGreaterThan(known)
})

test('a file that leads to its one-time address opens the app, and an address of nobody does not close it', async ({
  context,
  page,
  service,
}, info) => {
  const { url } = service
  const file = info.outputPath('open.html')
  const address = `${url}/open?token=${service.takeAccount('usual').token}`
  await writeFile(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${address}">`)
  await page.goto(`file://${file}`)
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible()
  expect(page.url()).toBe(`${url}/`)
  const other = await context.newPage()
  await other.goto(`${url}/#session=of-nobody`)
  await expect(other.getByRole('button', { name: 'Choose files' })).toBeVisible()
})
