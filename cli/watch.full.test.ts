import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { testService } from '../testing/service.ts'
import { start } from './test/run.ts'

const COUNT = 1000

test('1,000 files, copied, renamed and replaced while the watcher is killed twice, become one result each', async () => {
  const service = await testService({ isApp: true })
  const place = await mkdtemp(join(tmpdir(), 'refile-watch-'))
  onTestFinished(() => rm(place, { recursive: true, force: true }))
  const [input, out] = [join(place, 'in'), join(place, 'out')]
  await Promise.all([mkdir(input), mkdir(out)])
  const watcher = () =>
    start(service.home, place, ['watch', 'in', '--to', 'jpg', '--out', 'out', '--interval', '0.3', '--quiet'])
  let child = watcher()
  const contents: string[] = []
  const picture = async (index: number) => {
    const background = { r: index % 256, g: Math.floor(index / 256), b: 9 }
    const path = join(place, `made-${index}`)
    await sharp({ create: { width: 8, height: 8, channels: 3, background } })
      .png()
      .withMetadata({ density: 72 + index })
      .toFile(path)
    return path
  }
  for (let index = 0; index < COUNT; index++) {
    const made = await picture(index)
    contents.push(made)
    const name = join(input, `${index}.png`)
    if (index % 3 === 0) await copyFile(made, name)
    else if (index % 3 === 1) {
      await copyFile(made, `${name}.part`)
      await rename(`${name}.part`, name)
    } else {
      const bytes = await readFile(made)
      await writeFile(name, bytes.subarray(0, 40))
      await sleep(2)
      await writeFile(name, bytes)
    }
    if (index === 300 || index === 700) {
      child.kill('SIGKILL')
      await once(child, 'exit')
      child = watcher()
    }
  }
  const names = async () => (await readdir(out)).filter(name => !name.endsWith('.part'))
  await expect.poll(async () => (await names()).length, { timeout: 300_000, interval: 1000 }).toBe(COUNT)
  await sleep(3000)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([143, null])
  expect((await readdir(out)).toSorted()).toEqual(contents.map((_, index) => `${index}.jpg`).toSorted())
}, 900_000)
