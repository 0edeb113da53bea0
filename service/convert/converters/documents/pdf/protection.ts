/** Passwords and restrictions of a PDF, which what becomes of it does not have. */
import { createReadStream } from 'node:fs'
import { message } from '../../../../shared/messages/message.ts'
import type { Task } from '../../../catalogue/task.ts'

/** In the trailer, which is never packed, or is in the plain entries of a stream. */
const MARK = Buffer.from('/Encrypt')

/** Whether a PDF has a password or restrictions. */
export const isProtected = (file: Buffer): boolean => file.includes(MARK)

/** Warns that the result of a protected PDF can be opened by everyone. */
export async function warnOfProtection({ input, warn }: Pick<Task, 'input' | 'warn'>): Promise<void> {
  let before: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(input.path, { highWaterMark: 1 << 20 })) {
    const piece = Buffer.concat([before, chunk as Buffer])
    if (isProtected(piece)) return warn(message('pdf.protection_not_kept'))
    before = piece.subarray(-MARK.length)
  }
}
