import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { root } from '../root.mjs'
import { works } from './container-check.ts'

const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

// What shares this machine's network shares that of the process that starts it, which here has none but itself.
const canTry = process.getuid?.() === 0 && works('podman', 'info') && works('unshare', '--net', 'true')

test.runIf(canTry)(
  'a container is built, and tried read-only, as nobody, with limits and without a network',
  () => {
    run('npm', 'run', 'container')
    const script = 'ip link set lo up && exec "$0" setup/release/container.ts try 2>&1'
    const said = run('unshare', '--net', 'sh', '-c', script, process.execPath)
    expect(said).toMatch(/healthy after .*letter\.rtf to pdf .*workers are confined\./)
    expect(Number(/(\d+) MB; healthy/.exec(said)?.[1])).toBeLessThan(1200)
  },
  3_600_000,
)
