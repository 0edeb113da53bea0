import { expect, test } from './help/app.ts'
import { looks, sidewaysOf, violationsOf } from './help/faults.ts'
import { fixtures } from './help/fixtures.ts'
import { choose, convert } from './help/steps.ts'

test.describe("in the owner's account", () => {
  test.use({ account: 'owner' })

  test('an account is created with a first key, changed, given credits, signed in to and closed', {
    tag: '@full',
  }, async ({ app, browser }) => {
    const { page, url } = app
    await page.goto(`${url}/#/settings/general`)
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Accounts' }).click()
    const dialog = page.getByRole('dialog')
    const faultsOfDialog = () => violationsOf(page, ['[role=dialog]'])

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

    const entry = page.getByRole('list', { name: 'Accounts' }).getByRole('listitem', { name: 'Print shop' })
    await expect(entry).toContainText('2 credits')
    await expect(entry).toContainText('6 running and 1 open jobs at most')
    const ask = () =>
      fetch(`${url}/convert/entitlements/me`, { headers: { 'x-service-api-key': key.trim() } })
    expect(await (await ask()).json()).toMatchObject({ totalCredits: 2 })

    await entry.getByRole('button', { name: 'Change Print shop' }).click()
    await dialog.getByLabel('Credits to add').fill('40')
    await dialog.getByLabel('Running jobs').fill('20')
    expect(await faultsOfDialog()).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(entry).toContainText('42 credits')
    await expect(entry).toContainText('20 running and 1 open jobs at most')
    expect(await (await ask()).json()).toMatchObject({ totalCredits: 42 })
    // The list has as many rows as the other tests need accounts, and one stands for all.
    const parts = ['h2', 'li[aria-label="Print shop"]']
    for (const [colorScheme, width] of [...looks, ['light', 400] as const]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      expect.soft(await violationsOf(page, parts), `${colorScheme}, ${width} px wide`).toEqual([])
      expect.soft(await sidewaysOf(page), `${width} px wide`).toBe(0)
    }

    await entry.getByRole('button', { name: 'Sign-in link for Print shop' }).click()
    const link = (await dialog.getByRole('region', { name: 'Link' }).textContent()) ?? ''
    expect(await faultsOfDialog()).toEqual([])
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    const other = await browser.newContext()
    const member = await other.newPage()
    await member.goto(link.trim())
    for (const [colorScheme, width] of looks) {
      await member.emulateMedia({ colorScheme })
      await member.setViewportSize({ width, height: 700 })
      expect.soft(await violationsOf(member), `${colorScheme}, ${width} px wide`).toEqual([])
    }
    await member.getByRole('button', { name: 'Sign in' }).click()
    await expect(member.getByRole('button', { name: 'Choose files' })).toBeVisible()
    await page.reload()
    await expect(entry).toContainText('1 browser signed in')
    await other.close()

    await entry.getByRole('button', { name: 'Close Print shop' }).click()
    expect(await faultsOfDialog()).toEqual([])
    await dialog.getByRole('button', { name: 'Close account' }).click()
    await expect(entry).toContainText('Closed')
    await expect(entry.getByRole('button')).toHaveCount(0)
    expect((await ask()).status).toBe(401)
    // The owner's own account stays open.
    const own = page.getByRole('list', { name: 'Accounts' }).getByRole('listitem', { name: 'Owner' })
    await expect(own.getByRole('button')).toHaveCount(1)
  })
})

test.describe('in an account of a team', () => {
  test.use({ account: 'member' })

  test('a member converts, and sees nothing of the machine', { tag: '@full' }, async ({ app }) => {
    const { page, url } = app
    const refused: string[] = []
    page.on('response', answer => {
      if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`)
    })
    await page.goto(`${url}/#/convert`)
    await page.getByLabel('Files to convert').setInputFiles(fixtures.png)
    await choose(app, 'Floor plan.png', 'JPEG')
    await expect(page.getByRole('button', { name: /^Save to/ })).toHaveCount(0)
    await convert(app, 1)
    await expect(page.getByRole('link', { name: 'Download Floor plan.jpg' })).toBeVisible()
    await page.goto(`${url}/#/settings/about`)
    const sections = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
    await expect(sections).toHaveText(['General', 'API'])
    await page.goto(`${url}/#/credits`)
    await expect(page.getByRole('heading', { name: 'Credits', level: 1 })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Top up' })).toHaveCount(0)
    expect(refused).toEqual([])

    await page.goto(`${url}/#/settings/general`)
    await expect(page.getByText('This browser')).toBeVisible()
    for (const [colorScheme, width] of [...looks, ['light', 400] as const]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      expect.soft(await violationsOf(page), `${colorScheme}, ${width} px wide`).toEqual([])
      expect.soft(await sidewaysOf(page), `${width} px wide`).toBe(0)
    }
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'This window is not signed in' })).toBeVisible()
    await page.getByRole('link', { name: 'Sign in to an account' }).click()
    await expect(page.getByText('You need a link to sign in.')).toBeVisible()
    expect(await violationsOf(page)).toEqual([])
  })
})
