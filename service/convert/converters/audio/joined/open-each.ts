import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { type BundledFile, readBundle } from '../../../catalogue/bundle.ts'
import type { Task } from '../../../catalogue/task.ts'

/**
 * Opens the files that a job joins; one that cannot be read is left out, with a warning.
 * @throws JobFailure why the first one cannot be read, if that is so of all of them
 */
export async function openEach<Member>(
  { input, folder, progress, warn }: Pick<Task, 'input' | 'folder' | 'progress' | 'warn'>,
  opened: (file: BundledFile) => Promise<Member>,
): Promise<Member[]> {
  progress(0, 'preparing')
  const members: Member[] = []
  let failure = new JobFailure('jobs.corrupt_input')
  for (const file of await readBundle(input.path, folder)) {
    try {
      members.push(await opened(file))
    } catch (error) {
      if (!(error instanceof JobFailure) || error.code === 'jobs.disk_full') throw error
      if (members.length === 0) failure = error
      warn(message('input.left_out', { name: file.name }))
      warn(error.reason)
    }
  }
  if (members.length === 0) throw failure
  return members
}
