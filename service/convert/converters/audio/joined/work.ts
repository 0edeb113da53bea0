/** Joins media files into one, with a chapter for each. */
import { splitName } from '../../../catalogue/formats.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import type { AudioOptions } from '../options.ts'
import { openSource } from '../source.ts'
import { convertSource } from '../work.ts'
import { openEach } from './open-each.ts'
import { joined } from './source.ts'

/** @throws JobFailure as `openEach` and a conversion of each do */
export async function convert(task: Task<AudioOptions>): Promise<Output[]> {
  const members = await openEach(task, async ({ path, name, bytes, format }) => {
    const { stem } = splitName(name)
    const source = await openSource({ input: { path, name, stem, bytes, format }, source: format })
    return { name, stem, source }
  })
  return convertSource(task, joined(members, task.warn))
}
