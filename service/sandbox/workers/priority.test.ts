import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { few } from '../../../testing/fixtures/full.ts'
import { IN_BACKGROUND, lowerPriorityOf } from './priority.ts'
import { spawnNode } from './spawn.ts'

async function start(args: string[]) {
  const worker = spawnNode(join(import.meta.dirname, 'entry.ts'), { PATH: process.env.PATH ?? '' }, args)
  onTestFinished(() => worker.kill())
  await new Promise<void>(resolve => worker.onMessage(resolve as () => void))
  return worker.pid ?? 0
}

const workers: readonly [which: string, args: string[]][] = [
  ['one that conversions take over', []],
  ['one that is started in the background', [IN_BACKGROUND]],
]

test.each(few(1, workers))(
  'every thread of a worker has lower priority, and so has its session: %s',
  async (_, args) => {
    const pid = await start(args)
    if (args.length === 0) lowerPriorityOf(pid)
    expect(getPriority(pid)).toBeGreaterThan(getPriority())
    if (process.platform !== 'linux') return
    const threads = (await readdir(`/proc/${pid}/task`)).map(Number)
    expect(threads.length).toBeGreaterThan(1)
    expect(new Set(threads.map(thread => getPriority(thread)))).toEqual(new Set([getPriority(pid)]))
    if (existsSync('/proc/self/autogroup'))
      await expect.poll(() => readFile(`/proc/${pid}/autogroup`, 'utf8')).toMatch(/nice [1-9]/)
  },
)

test('a worker that somebody waits for has normal priority', async () => {
  expect(getPriority(await start([]))).toBe(getPriority())
})
