import type { Task } from '../../catalogue/task.ts'
import type { ArchiveEntry, Content } from '../../engines/archives/model.ts'

/** Up to this size progress is only reported when a file is done. */
const SMALL_BYTES = 1 << 20
/** Step size of reported progress. */
const STEP = 0.01
/** The maximum that is reported if there is more than expected. */
const MOST = 0.99

/** The same members, reporting how much of their `total` bytes has been read. */
export async function* followed<Member extends { entry: ArchiveEntry; data?: Content }>(
  members: AsyncIterable<Member>,
  total: number,
  progress: Task['progress'],
): AsyncGenerator<Member> {
  let bytes = 0
  let published = -1
  const count = (length: number) => {
    bytes += length
    const fraction = Math.min(MOST, bytes / Math.max(1, total))
    if (fraction < published + STEP) return
    published = fraction
    progress(fraction, 'converting')
  }
  async function* counted(data: Content): AsyncGenerator<Uint8Array> {
    for await (const chunk of data) {
      yield chunk
      count(chunk.length)
    }
  }
  for await (const member of members) {
    if (member.data && member.entry.size > SMALL_BYTES) yield { ...member, data: counted(member.data) }
    else {
      yield member
      count(member.entry.size)
    }
  }
}
