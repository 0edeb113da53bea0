import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
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
    const worker = spawnNode(join(import.meta.dirname, '../../../testing/confined-worker.ts'), {
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

/** Whether a process runs; one that nobody has reaped does not. */
const runs = (pid: number): boolean => {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** The programs that a process has started. */
const programsOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

test.runIf(process.platform === 'linux')(
  'a worker and its program end with the service, however that ended, and need do nothing for it',
  async () => {
    const script = (name: string) => join(import.meta.dirname, '../../../testing', name)
    const service = spawn(process.execPath, [script('one-worker.ts'), script('deaf-worker.ts')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const pid = Number(await new Promise(resolve => service.stdout.once('data', resolve)))
    onTestFinished(() => void (runs(pid) && process.kill(-pid, 'SIGKILL')))
    const programs = await expect
      .poll(() => programsOf(pid), { timeout: 10_000 })
      .toHaveLength(1)
      .then(() => programsOf(pid))
    service.kill('SIGKILL')
    await expect.poll(() => [pid, ...programs].filter(runs), { timeout: 4000 }).toEqual([])
  },
)
