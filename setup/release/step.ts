import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import packageFile from '../../package.json' with { type: 'json' }
import { printInfo, root } from '../root.mjs'

/** What the steps of a release share. Each step is a program of its own, which .github/workflows/release.yml runs. */

/** Folder of the files of a release. */
export const out = join(root, 'out')

export const { version, homepage, description, license } = packageFile

/** Owner and name of the repository, as in `refile/refile`. */
export const repository = new URL(homepage).pathname.slice(1)

/** Runs a step; what it throws is printed in one line, and fails the workflow. */
export async function step(run: () => unknown): Promise<void> {
  try {
    const result = await run()
    if (typeof result === 'string') printInfo(result)
  } catch (error) {
    printInfo(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}

/** Runs the step that the first argument names. */
export const stepNamed = (steps: Record<string, () => unknown>): Promise<void> =>
  step(() => {
    const run = steps[process.argv[2] ?? '']
    if (!run) throw new Error(`Say one of ${Object.keys(steps).join(', ')}.`)
    return run()
  })

export const readChangelog = (): string => readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
