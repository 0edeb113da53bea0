import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../root.mjs'
import { step } from './step.ts'

/** Tests that need no program to judge results, which only Debian has all of: types, the texts, the page and the shell. */
const steps = [
  ['typescript/bin/tsc', '--noEmit'],
  ['vitest/vitest.mjs', 'run', 'renderer', 'electron', 'service/shared'],
] as const

await step(() => {
  for (const [script, ...args] of steps) {
    const { status } = spawnSync(process.execPath, [join(root, 'node_modules', script), ...args], {
      cwd: root,
      stdio: 'inherit',
    })
    if (status !== 0) throw new Error(`${script} failed.`)
  }
})
