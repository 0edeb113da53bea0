import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { misbehaving } from '../../testing/misbehaving.ts'
import { testService } from '../../testing/service.ts'
import { ApiKeys } from '../accounts/keys.ts'
import { loadConfig, SettingError } from '../shared/config.ts'
import { openEmbeddedStores } from '../store/embedded.ts'
import { runAccount } from './account-command.ts'
import { QUEUE_LIMITS } from './core.ts'

test('accounts are created with a first key, limited, listed and closed', async () => {
  const home = await mkdtemp(join(tmpdir(), 'refile-accounts-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const run = async (...args: string[]) => {
    const lines: string[] = []
    await runAccount(args, loadConfig({ home }), line => lines.push(line))
    return lines
  }
  const holderOf = async (key: string) => {
    await using stores = await openEmbeddedStores(home, QUEUE_LIMITS, () => {})
    return await new ApiKeys(stores.accounts).verify(key, '127.0.0.1')
  }
  const [made = '', key = ''] = await run('create', 'Ann', '--credits', '7', '--running', '20', '--open=60')
  const { id, ...rest } = JSON.parse(made)
  expect(rest).toMatchObject({ name: 'Ann', credits: 7, running: 20, open: 60 })
  expect(await holderOf(key)).toMatchObject({ accountId: id })
  expect(JSON.parse((await run('limit', 'Ann', '--running', '3'))[0]!)).toMatchObject({
    running: 3,
    open: 60,
  })
  // Nobody comes before the owner, even where no service has run yet.
  expect((await run('list')).map(line => JSON.parse(line))).toMatchObject([
    { name: 'Owner', running: 6, open: 18 },
    { id, name: 'Ann' },
  ])
  const [link = ''] = await run('link', 'Ann')
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:7421\/sign-in\?token=[\w-]{43}$/)
  await run('close', id)
  expect(await holderOf(key)).toBeUndefined()
  expect(JSON.parse((await run('list'))[1]!)).toMatchObject({ id, closed: expect.any(String) })
  for (const args of [
    'close Owner',
    'close Ann',
    `link ${id}`,
    'link Owner',
    'create',
    'list all',
    'limit Owner --running 0',
    'remove Ann',
  ])
    await expect(run(...args.split(' ')), args).rejects.toThrow(SettingError)
  await run('create', 'Ben')
  await expect(run('create', 'Ben')).rejects.toThrow('already')
})

test('a service that is running with the data folder manages its accounts itself', async () => {
  const service = await testService(misbehaving)
  const run = async (...words: string[]) => {
    const lines: string[] = []
    await runAccount(words, loadConfig({ home: service.home }), line => lines.push(line))
    return lines
  }
  const [made = '', key = ''] = await run('create', 'Ann & Ben', '--credits', '7', '--open=60')
  expect(JSON.parse(made)).toMatchObject({ name: 'Ann & Ben', credits: 7, running: 6, open: 60 })
  expect((await service.call('/convert/presets', { key })).status).toBe(200)
  expect(JSON.parse((await run('limit', 'Ann & Ben', '--running', '3'))[0]!)).toMatchObject({ running: 3 })
  expect((await run('list')).map(line => JSON.parse(line).name)).toEqual(['Owner', 'Ann & Ben'])
  expect((await run('link', 'Ann & Ben'))[0]).toContain(`${service.url}/sign-in?token=`)
  await expect(run('create', 'Ann & Ben')).rejects.toThrow('There is an account Ann & Ben already.')
  await run('close', 'Ann & Ben')
  expect((await service.call('/convert/presets', { key })).status).toBe(401)
  for (const words of ['close Owner', 'link Owner', 'close nobody'])
    await expect(run(...words.split(' ')), words).rejects.toThrow(SettingError)
})
