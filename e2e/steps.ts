import { type App, expect } from './app.ts'

/** Chooses what files of a format become. */
export async function choose(app: App, format: string, target: string): Promise<void> {
  await app.page.getByRole('button', { name: `Target format for ${format}:` }).click()
  const search = app.page.getByRole('combobox', { name: 'Search formats' })
  await expect(search).toBeFocused()
  await search.fill(target)
  await app.page.getByRole('option', { name: target }).first().click()
}

/** Follows the link of the navigation to a page. */
export const goTo = (app: App, name: string): Promise<void> =>
  app.page
    .getByRole('navigation')
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click()
