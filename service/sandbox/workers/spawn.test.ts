import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { spawnNode } from './spawn.ts'

/** What the descriptors of a process are, as far as they are no files. */
const objectsOf = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap(name => {
    try {
      return /^anon_inode:(.*)/.exec(readlinkSync(`/proc/${pid}/fd/${name}`))?.[1] ?? []
    } catch {
      return []
    }
  })

test.runIf(process.platform === 'linux')(
  'a worker has no io_uring ring, which no filter could hold',
  async () => {
    const worker = spawnNode(join(import.meta.dirname, '../../test/confined-worker.ts'), {
      PATH: process.env.PATH ?? '',
    })
    onTestFinished(() => worker.kill())
    const ready = await new Promise(resolve => worker.onMessage(resolve))
    expect(ready).toMatchObject({ type: 'ready', confinement: { systemCalls: true } })
    const objects = objectsOf(worker.pid ?? 0)
    expect(objects).toContain('[eventpoll]')
    expect(objects).not.toContain('[io_uring]')
  },
)
