import { createHash } from 'node:crypto'
import { basename, dirname, extname } from 'node:path'
import { extensionOf, nameAround, portableName } from '../shared/names/names.ts'
import { foldersOf, hashOf, PartialFile } from '../shared/placing/place.ts'
import type { Converter, Results } from './converter.ts'
import type { Journal, JournalEntry, Made } from './journal.ts'
import { type Seen, stampOf } from './looking.ts'
import { type Rule, ruleId } from './rule.ts'

/** A file to be converted. */
export interface Source extends Seen {
  /** Number of attempts that ended: each is charged once. */
  attempt: number
  /** What came of it, if only placing that failed. */
  results?: Results | undefined
}

export type Converted = Made & { warnings: readonly string[] }

/**
 * Converts a file and places its result: what was placed is in the journal.
 * @param content SHA-256 of it, in hex
 * @param before what the journal said of it
 * @returns undefined if the file changed meanwhile
 */
export async function convert(
  source: Source,
  content: string,
  { rule, converter, journal }: { rule: Rule; converter: Converter; journal: Journal },
  before: JournalEntry | undefined,
  signal: AbortSignal,
): Promise<Converted | undefined> {
  const { path, file, stamp } = source
  while (!source.results) {
    const key = createHash('sha256').update(JSON.stringify([ruleId(rule), file, content, source.attempt]))
    const settings = { options: rule.options, key: key.digest('hex'), signal }
    try {
      source.results = await converter.convert({ path, name: basename(path) }, rule.target, settings)
    } catch (error) {
      if (signal.aborted)
        await journal.add({ file, content, stamp, attempt: source.attempt, state: 'stopped' })
      // It was canceled as this stopped, and not by a person; the same key would get the same end again.
      const isOwn = before?.state === 'stopped' && (error as { code?: unknown }).code === 'jobs.canceled'
      if (signal.aborted || !isOwn) throw error
      source.attempt++
    }
  }
  const about = { file, content, stamp, attempt: source.attempt }
  const { fileName, fileCount, warnings } = source.results
  const [stem, isSeveral] = [basename(file, extname(file)), fileCount > 1]
  const where = { root: rule.out, folders: foldersOf(dirname(file)) }
  await using received = await PartialFile.receive(await source.results.content(), where, { signal })
  await using files = isSeveral ? await PartialFile.unpack(received.path, where, { signal }) : undefined
  const finished = files ?? received
  const made = { result: await hashOf(finished.path), ...(warnings.length > 0 && { warned: true }) }
  // It may have been written on while it was converted; then it is new work.
  if ((await stampOf(path)) !== stamp) return undefined
  const output = await finished.place({
    name: isSeveral ? portableName(stem) : nameAround('', stem, `.${extensionOf(fileName)}`),
    taken: 'number',
    announce: output => journal.add({ ...about, state: 'placing', output, ...made }),
    announced: before?.state === 'placing' ? before.output : null,
  })
  await journal.add({ ...about, state: 'done', output, ...made })
  await source.results.remove().catch(() => {})
  return { output, ...made, warnings }
}
