/** Unpacks a whole archive with 7-Zip as one stream (`x -so`), which contains all members in the order of the listing. */
import { crc32 } from 'node:zlib'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { ByteQueue } from '../byte-queue.ts'
import type { Listed } from './list.ts'
import { failureOf, start } from './program.ts'

const CHUNK_BYTES = 1 << 20

export interface ExtractOptions {
  password: string | undefined
  /** Threads it may use. */
  cores: number
  /** In 7-Zip's words; found by the content if undefined. */
  type?: string | undefined
}

type Extracted = Pick<Listed, 'size' | 'crc' | 'isFolder' | 'isEncrypted'>

/**
 * Yields the number and the bytes of every member that is not a folder. The checksum is verified when the bytes have been
 * read to the end; unread bytes are skipped.
 * @throws JobFailure encrypted_input, corrupt_input, unsupported_input
 */
export async function* extract(
  path: string,
  members: readonly Extracted[],
  { password, cores, type }: ExtractOptions,
): AsyncGenerator<{ index: number; data: AsyncGenerator<Uint8Array> }> {
  if (password === undefined && members.some(({ isEncrypted }) => isEncrypted)) {
    throw new JobFailure('jobs.encrypted_input', message('archive.needs_password'))
  }
  const args = ['x', ...(type ? [`-t${type}`] : []), '-so', '-bd', '-sns-', `-mmt=${cores}`, '--', path]
  await using program = start(args, password)
  if (password === undefined) program.child.stdin.end()
  const queue = new ByteQueue(program.child.stdout)

  async function* dataOf({ size, crc, isEncrypted }: Extracted): AsyncGenerator<Uint8Array> {
    let sum = 0
    for (let left = size; left > 0; ) {
      const piece = await queue.some(Math.min(left, CHUNK_BYTES))
      if (!piece) throw failureOf((await program.ended).log, password !== undefined)
      if (crc !== undefined) sum = crc32(piece, sum)
      left -= piece.length
      yield piece
    }
    if (crc === undefined || sum === crc) return
    throw isEncrypted
      ? new JobFailure('jobs.encrypted_input', message('archive.wrong_password'))
      : new JobFailure('jobs.corrupt_input', message('archive.damaged'))
  }

  for (const [index, member] of members.entries()) {
    if (member.isFolder) continue
    const data = dataOf(member)
    let isRead = false
    const watched = (async function* () {
      isRead = true
      yield* data
    })()
    yield { index, data: watched }
    if (!isRead && !(await queue.skip(member.size))) {
      throw failureOf((await program.ended).log, password !== undefined)
    }
  }
  // It would wait for someone to read the rest.
  if (await queue.some(1)) throw new JobFailure('jobs.corrupt_input', message('archive.damaged'))
  // Unless all members have checksums, only 7-Zip can check whether everything is intact. Links cause false alarms.
  const isChecked = members.every(({ crc, size, isFolder }) => isFolder || size === 0 || crc !== undefined)
  if (isChecked) return
  const { code, log } = await program.ended
  if (code !== 0) throw failureOf(log, password !== undefined)
}
