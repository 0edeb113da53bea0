import AxeBuilder from '@axe-core/playwright'
import { expect, test } from './app.ts'
import { looks, sidewaysOf, violationsOf } from './faults.ts'

test.describe("in the owner's account", () => {
  test.use({ account: 'owner' })

  test('an account is created with a first key, changed, given credits and closed', async ({ app }) => {
    const { page, url } = app
    await page.goto(`${url}/#/settings/general`)
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Accounts' }).click()
    const dialog = page.getByRole('dialog')
    const faultsOfDialog = () => violationsOf(page, new AxeBuilder({ page }).include('[role=dialog]'))

    await page.getByRole('button', { name: 'Create account' }).click()
    await dialog.getByLabel('Name').fill('Person')
    await dialog.getByRole('button', { name: 'Create account' }).click()
    await expect(dialog.getByText('An open account has this name already.')).toBeVisible()
    expect(await faultsOfDialog()).toEqual([])
    await dialog.getByLabel('Name').fill('Print shop')
    await dialog.getByLabel('Credits to begin with').fill('2')
    await dialog.getByLabel('Open jobs').fill('1')
    await dialog.getByRole('button', { name: 'Create account' }).click()
    await expect(dialog.getByRole('heading', { name: 'First key of “Print shop”' })).toBeVisible()
    expect(await faultsOfDialog()).toEqual([])
    const key = (await dialog.getByRole('region', { name: 'Key' }).textContent()) ?? ''
    await dialog.getByRole('button', { name: 'I have copied it' }).click()

    const row = page.getByRole('list', { name: 'Accounts' }).getByRole('listitem', { name: 'Print shop' })
    await expect(row).toContainText('2 credits')
    await expect(row).toContainText('6 running and 1 open jobs at most')
    const ask = () =>
      fetch(`${url}/convert/entitlements/me`, { headers: { 'x-service-api-key': key.trim() } })
    expect(await (await ask()).json()).toMatchObject({ totalCredits: 2 })

    await row.getByRole('button', { name: 'Change Print shop' }).click()
    await dialog.getByLabel('Credits to add').fill('40')
    await dialog.getByLabel('Running jobs').fill('20')
    expect(await faultsOfDialog()).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(row).toContainText('42 credits')
    await expect(row).toContainText('20 running and 1 open jobs at most')
    expect(await (await ask()).json()).toMatchObject({ totalCredits: 42 })
    // The list has as many rows as the other tests need accounts, and one stands for all.
    const parts = new AxeBuilder({ page }).include('h2').include('li[aria-label="Print shop"]')
    for (const [colorScheme, width] of [...looks, ['light', 400] as const]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      expect.soft(await violationsOf(page, parts), `${colorScheme}, ${width} px wide`).toEqual([])
      expect.soft(await sidewaysOf(page), `${width} px wide`).toBe(0)
    }

    await row.getByRole('button', { name: 'Close Print shop' }).click()
    expect(await faultsOfDialog()).toEqual([])
    await dialog.getByRole('button', { name: 'Close account' }).click()
    await expect(row).toContainText('Closed')
    await expect(row.getByRole('button')).toHaveCount(0)
    expect((await ask()).status).toBe(401)
    // The owner's own account stays open.
    const own = page.getByRole('list', { name: 'Accounts' }).getByRole('listitem', { name: 'Owner' })
    await expect(own.getByRole('button')).toHaveCount(1)
  })
})

test('others see no accounts', async ({ app: { page, url } }) => {
  await page.goto(`${url}/#/settings/accounts`)
  await expect(page.getByRole('link', { name: 'About' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Accounts' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Create account' })).toHaveCount(0)
})
