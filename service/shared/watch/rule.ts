import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { matchesGlob, relative, resolve } from 'node:path'
import { liesWithin } from '../names/within.ts'

/** What is done with the files that come into a folder. */
export interface Rule {
  folder: string
  recursive: boolean
  /** Glob of the file names that count. */
  pattern: string
  target: string
  options: Record<string, unknown>
  /** Folder for results. */
  out: string
  /** Folder that originals go to once their result is there; null to leave them. */
  moveTo: string | null
  /** Whether originals stay, or go to the recycle bin once their result was read again; they stay by default. */
  original?: 'keep' | 'recycle'
}

/** A rule that would convert what it made, or that contradicts itself. */
export class RuleRefused extends Error {
  override readonly name: string = 'RuleRefused'
}

/**
 * Makes a rule of what was typed.
 * @throws RuleRefused if results or moved originals would fall into the watched folder, where they would be converted again, or if
 * originals are to be moved and to go to the recycle bin
 */
export function makeRule(given: Rule): Rule {
  if (given.moveTo !== null && given.original === 'recycle')
    throw new RuleRefused('Originals can be moved to a folder or to the recycle bin, not both.')
  const folder = real(given.folder)
  for (const [what, place] of [
    ['results', given.out],
    ['moved originals', given.moveTo],
  ] as const) {
    if (place === null) continue
    const there = real(place)
    if (there === folder || (given.recursive && liesWithin(folder, there))) {
      throw new RuleRefused(
        `The ${what} would fall into the watched folder. Choose a folder outside of ${given.folder}.`,
      )
    }
  }
  return { ...given, folder, out: resolve(given.out), moveTo: given.moveTo && resolve(given.moveTo) }
}

/** The path without symbolic links, as far as it exists. */
function real(path: string): string {
  const whole = resolve(path)
  try {
    return realpathSync(whole)
  } catch {
    const parent = resolve(whole, '..')
    return parent === whole ? whole : resolve(real(parent), relative(parent, whole))
  }
}

/** Names of files that are still being written, as browsers, editors and copying programs call them. */
const unfinished = /^\.|~$|\.(part|partial|tmp|temp|crdownload|download|filepart)$/i

/** Whether a file of the folder is one for the rule, in capitals or not: cameras write IMG_1.JPG. */
export const matches = ({ pattern }: Rule, name: string): boolean =>
  !unfinished.test(name) && matchesGlob(name.toLowerCase(), pattern.toLowerCase())

/** Names the journal of a rule: the same for the same folder and conversion. */
export const ruleId = ({ folder, target, options, out }: Rule): string =>
  createHash('sha256')
    .update(JSON.stringify([folder, target, options, out]))
    .digest('hex')
    .slice(0, 16)
