import { moveFile } from '../shared/placing/move.ts'
import { ifGone } from '../shared/placing/naming.ts'
import { hashOf } from '../shared/placing/place.ts'
import type { Journal, Made } from './journal.ts'
import { type Seen, stampOf } from './looking.ts'
import type { Rule } from './rule.ts'

/** Moves a file to the recycle bin of this system. */
export type Recycle = (path: string) => Promise<void>

/** Whether originals stay where they are by a rule. */
export const isKept = ({ moveTo, original }: Rule): boolean => moveTo === null && original !== 'recycle'

/**
 * Lets an original go where its rule says, once its result was read back and every other rule has one too. It stays if the result does
 * not read as it was made, and does not go to the recycle bin after warnings.
 * @returns whether it still has to go, once others are done
 * @throws the system's errors and FileChanged; it is then where it was
 */
export async function letGo(
  rule: Rule,
  { path, stamp }: Seen,
  content: string,
  made: Made,
  journal: Journal,
  recycle: Recycle,
): Promise<boolean> {
  const isHere = async () => (await stampOf(path)) === stamp
  if (isKept(rule) || !(await isHere()) || (rule.moveTo === null && made.warned)) return false
  if (journal.isAwaited(path, content)) return true
  if ((await hashOf(made.output).catch(ifGone(''))) !== made.result) return false
  try {
    if (!(await isHere())) return false
    if (rule.moveTo !== null) await moveFile(path, { root: rule.moveTo }, content)
    else await recycle(path)
  } catch (error) {
    // Another rule that was done with it at the same moment may have taken it.
    if (await isHere()) throw error
  }
  return false
}
