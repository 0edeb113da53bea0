import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { matchesGlob, relative, resolve } from 'node:path'
import { isWanted } from '../shared/names/unfinished.ts'
import { liesWithin } from '../shared/names/within.ts'

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

/** A rule that would convert what it made, touch Refile's own files, or contradict itself. */
export class RuleRefused extends Error {
  override readonly name: string = 'RuleRefused'
  readonly reason: 'contradiction' | 'inside' | 'own_data'

  constructor(reason: RuleRefused['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Makes a rule of what was typed.
 * @param home the data folder; nothing in it is watched, and nothing goes there
 * @throws RuleRefused if results or moved originals would fall into the watched folder, where they would be converted again, or into the
 * data folder, or if originals are to be moved and to go to the recycle bin
 */
export function makeRule(given: Rule, home: string): Rule {
  if (given.moveTo !== null && given.original === 'recycle')
    throw new RuleRefused(
      'contradiction',
      'Originals can be moved to a folder or to the recycle bin, not both.',
    )
  const [folder, data] = [realPath(given.folder), realPath(home)]
  for (const [what, place] of [
    ['watched folder', given.folder],
    ['results', given.out],
    ['moved originals', given.moveTo],
  ] as const) {
    if (place === null) continue
    const there = realPath(place)
    if (liesWithin(data, there))
      throw new RuleRefused(
        'own_data',
        `The ${what} would be in Refile's own data. Choose a folder outside of ${data}.`,
      )
    if (what !== 'watched folder' && (there === folder || (given.recursive && liesWithin(folder, there))))
      throw new RuleRefused(
        'inside',
        `The ${what} would fall into the watched folder. Choose a folder outside of ${given.folder}.`,
      )
  }
  return { ...given, folder, out: resolve(given.out), moveTo: given.moveTo && resolve(given.moveTo) }
}

/** The path without symbolic links and as the disk writes it, as far as it exists. */
export function realPath(path: string): string {
  const whole = resolve(path)
  try {
    return realpathSync.native(whole)
  } catch {
    const parent = resolve(whole, '..')
    return parent === whole ? whole : resolve(realPath(parent), relative(parent, whole))
  }
}

/** Whether a file of the folder is one for the rule, in capitals or not: cameras write IMG_1.JPG. */
export const matches = ({ pattern }: Rule, name: string): boolean =>
  isWanted(name) && matchesGlob(name.toLowerCase(), pattern.toLowerCase())

/** Names the journal of a rule: the same for the same files and conversion. */
export const ruleId = ({ folder, target, options, out, pattern }: Rule): string =>
  createHash('sha256')
    // Rules for all files had their journals before others had some of their own.
    .update(JSON.stringify([folder, target, options, out, ...(pattern === '*' ? [] : [pattern])]))
    .digest('hex')
    .slice(0, 16)
