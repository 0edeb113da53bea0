import { globSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { out, step } from './step.ts'

/**
 * Megabytes that a package may have. LibreOffice takes 80 of them, Electron 110, Node 30, ffmpeg 50, the other engines and fonts the rest: who goes
 * beyond should know why, and raise it here.
 */
const BUDGET_MB = 330

/** @throws Error naming the packages that are too large */
export function checkSizes(folder: string, budgetMb: number): string {
  const files = globSync('Refile-*', { cwd: folder, withFileTypes: true }).filter(entry => entry.isFile())
  if (files.length === 0) throw new Error(`There is no package in ${folder}.`)
  const sizes = files.map(({ name }) => ({ name, mb: statSync(join(folder, name)).size / 1e6 }))
  const listed = (list: typeof sizes) =>
    list.map(({ name, mb }) => `${basename(name)} ${mb.toFixed(1)} MB`).join(', ')
  const large = sizes.filter(({ mb }) => mb > budgetMb)
  if (large.length > 0) throw new Error(`More than ${budgetMb} MB: ${listed(large)}.`)
  return listed(sizes)
}

if (import.meta.main) await step(() => checkSizes(out, BUDGET_MB))
