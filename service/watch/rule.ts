import { createHash } from 'node:crypto'
import { matchesGlob, resolve } from 'node:path'
import { RequestError } from '../shared/errors.ts'
import { message } from '../shared/messages/message.ts'
import { isWanted } from '../shared/names/unfinished.ts'
import { liesWithin, realPath } from '../shared/names/within.ts'

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

/**
 * Makes a rule of what was typed.
 * @param home the data folder; nothing in it is watched, and nothing goes there
 * @throws RequestError request.invalid_parameter if results or moved originals would fall into the watched folder, where they would be
 * converted again, or into the data folder, or if originals are to be moved and to go to the recycle bin
 */
export function makeRule(given: Rule, home: string): Rule {
  const { folder: from, recursive, out, moveTo, original } = given
  if (moveTo !== null && original === 'recycle') throw new RequestError('request.invalid_parameter')
  const [folder, data] = [realPath(from), realPath(home)]
  const places = [out, ...(moveTo === null ? [] : [moveTo])].map(realPath)
  if ([folder, ...places].some(place => liesWithin(data, place))) throw refused('destination.own_data')
  if (places.some(place => place === folder || (recursive && liesWithin(folder, place))))
    throw refused('watch.inside')
  return { ...given, folder, out: resolve(out), moveTo: moveTo && resolve(moveTo) }
}

const refused = (key: 'destination.own_data' | 'watch.inside') =>
  new RequestError('request.invalid_parameter', message(key))

/** Whether a file of the folder is one for the rule, in capitals or not: cameras write IMG_1.JPG. */
export const matches = ({ pattern }: Pick<Rule, 'pattern'>, name: string): boolean =>
  isWanted(name) && matchesGlob(name.toLowerCase(), pattern.toLowerCase())

/** Names the journal of a rule: the same for the same files and conversion. */
export const ruleId = ({ folder, target, options, out, pattern }: Rule): string =>
  createHash('sha256')
    .update(JSON.stringify([folder, target, options, out, pattern]))
    .digest('hex')
    .slice(0, 16)
