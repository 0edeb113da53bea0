import { open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import type { Rule } from './rule.ts'

/** A rule of an account, as it is kept. */
export interface KeptRule extends Rule {
  id: string
  accountId: string
  paused: boolean
}

/** The rules that were kept; none if there is no file, or it cannot be read. */
export async function readRules(path: string): Promise<KeptRule[]> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as KeptRule[]
  } catch {
    return []
  }
}

/** Replaces the kept rules in one step. */
export async function writeRules(path: string, rules: readonly KeptRule[]): Promise<void> {
  await makeFolder(dirname(path), 0o700)
  const next = `${path}.next`
  {
    await using file = await open(next, 'w', 0o600)
    await file.writeFile(JSON.stringify(rules, null, 2))
    await file.sync()
  }
  await rename(next, path)
}
