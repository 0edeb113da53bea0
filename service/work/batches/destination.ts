import { realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute } from 'node:path'
import { RequestError } from '../../shared/errors.ts'
import { type Message, message, type PlainKey } from '../../shared/messages/message.ts'
import { templateProblem } from '../../shared/names/template.ts'
import { liesWithin } from '../../shared/names/within.ts'
import type { BatchProblem, Destination } from '../../store/interfaces/batches.ts'
import type { FileRecord } from '../../store/interfaces/files.ts'

const refused = (reason: Message) => new RequestError('request.invalid_parameter', reason)

/**
 * Checks that results can be saved to a destination, before anything is stored.
 * @param home the data folder, which must not be a destination
 * @param files the originals, beside which results may be saved
 * @throws RequestError request.invalid_parameter
 */
export async function checkDestination(
  destination: Destination,
  home: string,
  files: readonly Pick<FileRecord, 'name' | 'originalPath'>[],
): Promise<void> {
  if (destination.kind === 'keep') return
  checkTemplate(destination.name)
  if (destination.kind === 'folder') {
    if (!isAbsolute(destination.path)) throw refused(message('destination.not_absolute'))
    return checkFolder(destination.path, home)
  }
  const folders = new Set(
    files.flatMap(({ originalPath }) => (originalPath === null ? [] : dirname(originalPath))),
  )
  const [first] = files
  // If some of several files were pasted, their results are kept for download.
  if (folders.size === 0 && first) throw refused(message('destination.beside_unknown', { name: first.name }))
  for (const folder of folders) await checkFolder(folder, home)
}

/** @throws RequestError request.invalid_parameter */
export function checkTemplate(template: string | undefined): void {
  const wrong = template === undefined ? undefined : templateProblem(template)
  if (wrong?.kind === 'folder') throw refused(message('destination.name_with_folders'))
  if (wrong) throw refused(message('destination.unknown_placeholder', { word: wrong.word }))
}

async function checkFolder(path: string, home: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isDirectory()) throw refused(message('destination.not_a_folder'))
  if (liesWithin(await realpath(home), await realpath(path))) throw refused(message('destination.own_data'))
}

/** Why results can't be saved; each of these stops the whole batch. */
const problems = {
  'destination.missing': ['ENOENT', 'ENXIO', 'ENODEV'],
  'destination.not_writable': ['EACCES', 'EPERM', 'EROFS'],
  'destination.full': ['ENOSPC', 'EDQUOT'],
  'destination.failed': [],
} as const

type DestinationProblem = keyof typeof problems

/** Codes of problems that are resolved by fixing the folder and resuming. */
export const destinationProblems = Object.keys(problems) as DestinationProblem[]

/** What a file system error for a folder means for the batch. */
export function destinationProblem(error: unknown): BatchProblem {
  const { code = '' } = error as NodeJS.ErrnoException
  const found = destinationProblems.find(problem => (problems[problem] as readonly string[]).includes(code))
  return problemOf(found ?? 'destination.failed')
}

/** A problem that its code says all about. */
export const problemOf = (code: PlainKey): BatchProblem => ({ code, reason: { key: code } })

/**
 * What an error for the folder of one original means for its result. Others are in other folders and are still saved.
 * @returns undefined if it affects all of them, such as a full disk
 */
export function besideProblem(error: unknown): BatchProblem | undefined {
  const { code } = destinationProblem(error)
  if (code === 'destination.missing') return { code, reason: message('destination.beside_missing') }
  if (code === 'destination.not_writable') return { code, reason: message('destination.beside_not_writable') }
  return undefined
}

/** Whether the file system refuses this particular name, for example because a folder in it is a file. */
export const refusesName = (error: unknown): boolean =>
  ['ENAMETOOLONG', 'EINVAL', 'EILSEQ', 'ENOTDIR', 'EISDIR'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  )
