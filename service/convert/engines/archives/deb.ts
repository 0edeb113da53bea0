/** Packages of Debian (deb(5)): an archive of `ar` whose member `data.tar` has what is installed. */
import { open } from 'node:fs/promises'
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import { readAt } from '../common/read-at.ts'
import type { FileRange } from './unpacked.ts'

const MAGIC = '!<arch>\n'
const HEADER_BYTES = 60
/** A package has three members, and some have signatures too. */
const MOST_MEMBERS = 32

/** Where the files of a package are, as a TAR of any compression. @throws JobFailure corrupt_input */
export async function dataOf(path: string): Promise<Required<FileRange>> {
  await using file = await open(path)
  const { size } = await file.stat()
  let at = MAGIC.length
  if ((await readAt(file, 0, at)).toString('latin1') === MAGIC)
    for (let count = 0; count < MOST_MEMBERS; count++) {
      const header = (await readAt(file, at, HEADER_BYTES)).toString('latin1')
      const [, name = '', digits = ''] = /^(.{16}).{32}(\d{1,10}) *`\n$/s.exec(header) ?? []
      const start = at + HEADER_BYTES
      const end = start + Number(digits)
      if (digits === '' || end > size) break
      if (/^data\.tar(\.\w+)?\/? *$/.test(name)) return { path, start, end: end - 1 }
      at = end + (end % 2)
    }
  throw new JobFailure('jobs.corrupt_input', message('archive.damaged'))
}
