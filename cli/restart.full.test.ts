import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { misbehaving } from '../testing/misbehaving.ts'
import { testService } from '../testing/service.ts'
import { start } from './test/run.ts'

test('a folder is watched on, and a file converted to its end, by the service that comes after one that ended', async () => {
  const place = await mkdtemp(join(tmpdir(), 'refile-restart-'))
  onTestFinished(() => rm(place, { recursive: true, force: true }))
  const home = join(place, 'home')
  await Promise.all(['home', 'in', 'out'].map(name => mkdir(join(place, name))))
  const results = () => readdir(join(place, 'out'))
  const put = (name: string, text: string) => writeFile(join(place, name), text)
  const before = await testService({ ...misbehaving, home })
  const watcher = start(home, place, 'watch in --to webp --out out --interval 0.1 --quiet'.split(' '))
  onTestFinished(() => void watcher.kill('SIGKILL'))
  await put('in/a.jpg', 'fine')
  await expect.poll(results).toEqual(['a.out'])
  await put('long.jpg', 'fine 1000')
  const converting = start(home, place, 'convert long.jpg --to webp'.split(' '))
  const converted = once(converting, 'exit')
  const { accounts, stores } = before.services
  const newest = async () => (await stores.jobs.list((await accounts.owner()).id, null, 1))[0]?.status
  await expect.poll(newest).toBe('Running')
  await before.close()
  await put('in/b.jpg', 'fine')
  await testService({ ...misbehaving, home })
  await expect.poll(results).toEqual(['a.out', 'b.out'])
  expect(await converted).toEqual([0, null])
  watcher.kill('SIGTERM')
  expect(await once(watcher, 'exit')).toEqual([143, null])
})
