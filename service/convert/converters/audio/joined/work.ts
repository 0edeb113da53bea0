/** Joins recordings into one, with a chapter for each. */
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { type BundledFile, readBundle } from '../../../catalogue/bundle.ts'
import { splitName } from '../../../catalogue/formats.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import type { AudioOptions } from '../options.ts'
import { openSource } from '../source.ts'
import { convertSource } from '../work.ts'
import { joined, type Member } from './source.ts'

/**
 * A recording that cannot be read is left out, with a warning.
 * @throws JobFailure why the first one cannot be read, if that is so of all of them; as a conversion of each
 */
export async function convert(task: Task<AudioOptions>): Promise<Output[]> {
  task.progress(0, 'preparing')
  const files = await readBundle(task.input.path, task.folder)
  const members: Member[] = []
  let failure = new JobFailure('jobs.corrupt_input')
  for (const file of files) {
    try {
      members.push(await opened(file))
    } catch (error) {
      if (!(error instanceof JobFailure) || error.code === 'jobs.disk_full') throw error
      if (members.length === 0) failure = error
      task.warn(message('input.left_out', { name: file.name }))
      task.warn(error.reason)
    }
  }
  if (members.length === 0) throw failure
  return convertSource(task, joined(members, task.warn))
}

async function opened({ path, name, bytes, format }: BundledFile): Promise<Member> {
  const { stem } = splitName(name)
  const source = await openSource({ input: { path, name, stem, bytes, format }, source: format })
  return { name, stem, source }
}
