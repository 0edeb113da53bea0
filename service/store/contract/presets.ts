import { expect, test } from 'vitest'
import type { PresetRecord } from '../interfaces/presets.ts'
import { type OpenStores, setUp } from './fixtures.ts'

const preset = (id: string, name = id): PresetRecord => ({
  id,
  name,
  choices: { png: { target: 'webp', options: { quality: 70 } } },
})

/** What every preset store must do. */
export function presetStoreContract(open: OpenStores): void {
  test('presets are kept in order, changed and removed, separately for each account', async () => {
    const { stores, account } = await setUp(open)
    const other = await stores.accounts.create({ name: 'Other', credits: 0 })
    const { presets } = stores
    await presets.add(account.id, [preset('b'), preset('a')])
    expect(await presets.list(account.id)).toEqual([preset('b'), preset('a')])
    expect(await presets.list(other.id)).toEqual([])

    expect(await presets.change(account.id, { ...preset('b'), name: 'New', choices: {} })).toBe(true)
    expect(await presets.change(other.id, preset('a', 'Stolen'))).toBe(false)
    expect(await presets.remove(other.id, 'a')).toBe(false)
    expect(await presets.list(account.id)).toEqual([{ id: 'b', name: 'New', choices: {} }, preset('a')])
    expect(await presets.remove(account.id, 'b')).toBe(true)
    expect(await presets.remove(account.id, 'b')).toBe(false)
    expect(await presets.list(account.id)).toEqual([preset('a')])
  })

  test('several presets are added all or none', async () => {
    const { stores, account } = await setUp(open)
    await expect(stores.presets.add(account.id, [preset('a'), preset('a')])).rejects.toThrow()
    expect(await stores.presets.list(account.id)).toEqual([])
  })

  test('the last use of a preset is remembered until it is removed', async () => {
    const { stores, account } = await setUp(open)
    const { presets } = stores
    await presets.add(account.id, [preset('a')])
    await presets.touch(account.id, 'a', 1)
    await presets.touch(account.id, 'a', 3)
    await presets.touch(account.id, 'web', 2)
    expect(await presets.uses(account.id)).toEqual(
      new Map([
        ['a', 3],
        ['web', 2],
      ]),
    )
    await presets.remove(account.id, 'a')
    expect(await presets.uses(account.id)).toEqual(new Map([['web', 2]]))
  })

  test('the last choice of each pair is kept, the latest first', async () => {
    const { stores, account } = await setUp(open)
    const other = await stores.accounts.create({ name: 'Other', credits: 0 })
    const choice = (target: string, quality: number, usedAt: number) => ({
      source: 'png',
      target,
      options: { quality },
      usedAt,
    })
    await stores.presets.remember(account.id, [choice('webp', 70, 1), choice('jpg', 80, 1)])
    await stores.presets.remember(account.id, [choice('webp', 60, 2)])
    await stores.presets.remember(other.id, [choice('webp', 10, 3)])
    expect(await stores.presets.choices(account.id)).toEqual([choice('webp', 60, 2), choice('jpg', 80, 1)])
  })
}
