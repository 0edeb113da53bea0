import { basename, dirname } from 'node:path'
import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import { extensionOf } from '../../shared/names/extension.ts'
import { portableName } from '../../shared/names/names.ts'
import { giveName, isGone, NameTakenError } from '../../shared/placing/naming.ts'
import { jobEvent } from '../../store/interfaces/events.ts'
import type { Job } from '../../store/interfaces/jobs.ts'
import type { Stores } from '../../store/interfaces/stores.ts'
import { destinationProblem } from './destination.ts'

/**
 * Gives the result of a job another name, where it was saved and for downloads. Its suffix stays; the folder of several has none.
 * @param stem the name without its suffix
 * @throws RequestError jobs.expired if there is no result any more, or request.invalid_parameter saying why it cannot have the name
 */
export async function renameResult(
  { jobs, events }: Pick<Stores, 'jobs' | 'events'>,
  { id, output, outputKey, savedTo }: Job,
  stem: string,
): Promise<Job> {
  if (!output || (savedTo === null && outputKey === null)) throw new RequestError('jobs.expired')
  const isFolder = savedTo !== null && output.fileCount > 1
  const current = savedTo === null ? output.fileName : basename(savedTo)
  const extension = isFolder ? '' : extensionOf(current)
  const name = portableName(`${stem.replaceAll(/[\\/]/g, '_')}${extension && `.${extension}`}`)
  const given = (path: string | null) => jobs.rename(id, isFolder ? output.fileName : name, path)
  if (savedTo === null || name === current) await given(savedTo)
  else await move(savedTo, { name, taken: 'refuse', given }, isFolder)
  const renamed = (await jobs.get(id))!
  events.publish(jobEvent(renamed, 'ended'))
  return renamed
}

async function move(from: string, naming: Parameters<typeof giveName>[2], isFolder: boolean): Promise<void> {
  try {
    await giveName(from, dirname(from), naming, isFolder ? 'folder' : 'file')
  } catch (error) {
    // Not the disk's, but the store's.
    if (!(error instanceof NameTakenError || (error instanceof Error && 'syscall' in error))) throw error
    if (isGone(error)) throw new RequestError('jobs.expired')
    const reason =
      error instanceof NameTakenError
        ? message('destination.name_taken', { name: naming.name })
        : destinationProblem(error).reason
    throw new RequestError('request.invalid_parameter', reason)
  }
}
