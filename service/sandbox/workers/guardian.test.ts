import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/** Starts three groups and has them guarded; the watchdog was killed after the first, and the second is over. */
const service = `
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { guard, unguard } from ${JSON.stringify(join(import.meta.dirname, 'guardian.ts'))}
const group = () => spawn('sleep', ['300'], { stdio: 'ignore', detached: true }).pid
const [first, second, third] = [group(), group(), group()]
guard(first)
const children = () => readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').trim().split(' ').map(Number)
const guardian = children().at(-1)
process.kill(guardian, 'SIGKILL')
while (children().includes(guardian)) await new Promise(resolve => setTimeout(resolve, 5))
guard(second)
guard(third)
unguard(second)
console.log(JSON.stringify([first, second, third]))
`

const runs = (pid: number): boolean => {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

test.runIf(process.platform === 'linux')(
  'what a service guards ends with it, also after its guardian was killed, and nothing else',
  async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', service], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [printed] = await once(child.stdout, 'data')
    const [first, second, third] = JSON.parse(printed) as [number, number, number]
    onTestFinished(() =>
      [first, second, third].filter(runs).forEach(pid => void process.kill(pid, 'SIGKILL')),
    )
    expect([first, second, third].filter(runs)).toHaveLength(3)
    child.kill('SIGKILL')
    await expect.poll(() => [first, third].filter(runs), { timeout: 4000 }).toEqual([])
    expect(runs(second)).toBe(true)
  },
)
