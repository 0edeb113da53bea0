import { globSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { out, step } from './step.ts'

/**
 * Megabytes that packages may have. Electron takes 110 of them, Node 27, ffmpeg 45, engines and fonts the rest, and LibreOffice 80 of complete ones:
 * who goes beyond should know why, and raise it here.
 */
export const BUDGET_MB = { small: 250, complete: 330 }

/** @throws Error naming the packages that are too large */
export function checkSizes(folder: string, budget = BUDGET_MB): string {
  const files = globSync('Refile-*', { cwd: folder, withFileTypes: true }).filter(entry => entry.isFile())
  if (files.length === 0) throw new Error(`There is no package in ${folder}.`)
  const sizes = files.map(({ name }) => ({ name, mb: statSync(join(folder, name)).size / 1e6 }))
  const listed = (list: typeof sizes) =>
    list.map(({ name, mb }) => `${basename(name)} ${mb.toFixed(1)} MB`).join(', ')
  const large = sizes.filter(({ name, mb }) => mb > budget[/-complete\./.test(name) ? 'complete' : 'small'])
  if (large.length > 0)
    throw new Error(`More than ${budget.small} MB, or ${budget.complete} if complete: ${listed(large)}.`)
  return listed(sizes)
}

if (import.meta.main) await step(() => checkSizes(out))
