import type { Task } from '../../catalogue/task.ts'
import type { Content } from '../../engines/archives/model.ts'

/** Steps in which progress is told. */
const STEP = 0.01
/** Where it stays when there is more than was expected. */
const MOST = 0.99

/** The same members, telling how much of their `total` bytes has been read. */
export async function* followed<Member extends { data?: Content }>(
  members: AsyncIterable<Member>,
  total: number,
  progress: Task['progress'],
): AsyncGenerator<Member> {
  let bytes = 0
  let told = -1
  async function* counted(data: Content): AsyncGenerator<Uint8Array> {
    for await (const chunk of data) {
      yield chunk
      bytes += chunk.length
      const fraction = Math.min(MOST, bytes / Math.max(1, total))
      if (fraction < told + STEP) continue
      told = fraction
      progress(fraction, 'converting')
    }
  }
  for await (const member of members) yield member.data ? { ...member, data: counted(member.data) } : member
}
