import { expect, test } from 'vitest'
import { message } from '../../shared/messages/message.ts'
import type { NewFile } from '../interfaces/files.ts'
import { guid } from '../interfaces/ids.ts'
import { type OpenStores, setUp } from './fixtures.ts'

export const newFile = (accountId: string, settings: Partial<NewFile> = {}): NewFile => ({
  id: guid(),
  accountId,
  name: 'a.jpg',
  relativePath: null,
  bytes: 1000,
  format: 'jpg',
  measure: {},
  problem: null,
  source: { kind: 'blob' },
  addedAt: 1000.5,
  originalPath: null,
  modifiedAt: null,
  ...settings,
})

/** What every store of staged files must do. */
export function fileStoreContract(open: OpenStores): void {
  test('a file is stored as given, and belongs to its account alone', async () => {
    const { stores, account } = await setUp(open)
    const other = await stores.accounts.create({ name: 'Other', credits: 0 })
    const given = newFile(account.id, {
      relativePath: 'holiday/a.jpg',
      format: null,
      measure: { pages: 3, probe: { tracks: [] } },
      problem: message('jobs.corrupt_input'),
      source: { kind: 'path', path: '/home/me/a.jpg', bytes: 1000, modifiedAt: 1234.5 },
      originalPath: '/home/me/link.jpg',
      modifiedAt: 1234.5,
    })
    const file = await stores.files.add(given)
    expect(file).toEqual({ ...given, submitted: false, createdAt: expect.any(Number) })
    expect(await stores.files.get(file.id, account.id)).toEqual(file)
    expect(await stores.files.get(file.id, other.id)).toBeUndefined()
    expect(await stores.files.use([file.id], other.id)).toEqual([])
    const kept = await stores.files.add(newFile(account.id))
    expect(await stores.files.remove([file.id], other.id)).toEqual([])
    expect(await stores.files.remove([file.id, 'unknown'], account.id)).toEqual([file.id])
    expect(await stores.files.remove([file.id], account.id)).toEqual([])
    expect(await stores.files.existing([file.id, kept.id])).toEqual(new Set([kept.id]))
  })

  test('a choice is kept with its file, for its account alone', async () => {
    const { stores, account } = await setUp(open)
    const other = await stores.accounts.create({ name: 'Other', credits: 0 })
    const [first, second] = [newFile(account.id), newFile(account.id)]
    for (const file of [first, second]) await stores.files.add(file)
    const choice = { target: 'png', options: { quality: 40 } }
    await stores.files.choose(new Map([[first.id, choice]]), other.id)
    expect(await stores.files.choices(account.id)).toEqual(new Map())
    for (const { id } of [first, second]) await stores.files.choose(new Map([[id, choice]]), account.id)
    await stores.files.choose(new Map([[second.id, null]]), account.id)
    expect(await stores.files.choices(account.id)).toEqual(new Map([[first.id, choice]]))
    await stores.files.remove([first.id], account.id)
    expect(await stores.files.choices(account.id)).toEqual(new Map())
  })

  test('several files are returned in the requested order', async () => {
    const { stores, account } = await setUp(open)
    const ids: string[] = []
    for (const name of ['a', 'b', 'c']) ids.push((await stores.files.add(newFile(account.id, { name }))).id)
    const wanted = [ids[2]!, guid(), ids[0]!]
    expect((await stores.files.use(wanted, account.id)).map(({ name }) => name)).toEqual(['c', 'a'])
    expect(await stores.files.existing(wanted)).toEqual(new Set([ids[2], ids[0]]))
    expect((await stores.files.unsubmitted(account.id)).map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    const found = await stores.files.getMany(wanted, account.id)
    expect(found.map(({ name }) => name).toSorted()).toEqual(['a', 'c'])
  })

  test('files are in the order they were added to the page, whichever finished first', async () => {
    const { stores, account } = await setUp(open)
    for (const addedAt of [7.5, 7.25, 3]) {
      await stores.files.add(newFile(account.id, { name: String(addedAt), addedAt }))
    }
    expect((await stores.files.unsubmitted(account.id)).map(({ name }) => name)).toEqual(['3', '7.25', '7.5'])
  })

  test('unused files are removed; use extends their retention', async () => {
    const { stores, account } = await setUp(open)
    const unused = await stores.files.add(newFile(account.id))
    const used = await stores.files.add(newFile(account.id))
    await new Promise(resolve => setTimeout(resolve, 20))
    const time = Date.now()
    await stores.files.use([used.id], account.id)
    expect(await stores.files.removeUnused(time)).toEqual([unused.id])
    expect(await stores.files.existing([unused.id, used.id])).toEqual(new Set([used.id]))
  })
}
