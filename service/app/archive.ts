import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { UniqueNames } from '../names/names.ts'

/** A file to be put into an archive. */
export interface Member {
  name: string
  /** Opens its content; undefined when it is gone by then. */
  open(): Promise<Readable | undefined>
}

/** Name of the list of members that were gone; sorts first in most file managers. */
const MISSING = '_not included.txt'

/**
 * Streams members as a ZIP, stored as they are. Each is opened when its turn comes, so that a thousand of them hold no
 * thousand files open; those gone by then are left out and listed in a text file. A member that cannot be read to its end
 * breaks the stream off, so that nobody takes the archive for whole.
 */
export function archiveOf(members: readonly Member[]): Readable {
  const archive = new ZipFile()
  const output = archive.outputStream as Readable
  archive.on('error', error => output.destroy(error))
  void addAll(archive, members, output).catch(error => output.destroy(error))
  return output
}

async function addAll(archive: ZipFile, members: readonly Member[], output: Readable): Promise<void> {
  const unique = new UniqueNames()
  const missing: string[] = []
  for (const { name, open } of members) {
    const content = await open()
    if (output.destroyed) return void content?.destroy()
    if (!content) {
      missing.push(name)
      continue
    }
    // Whoever downloads may leave in the middle of it.
    const stop = () => content.destroy()
    output.once('close', stop)
    archive.addReadStream(content, unique.take(name), { compress: false })
    await finished(content)
    output.off('close', stop)
  }
  if (missing.length > 0) archive.addBuffer(Buffer.from(`${missing.join('\n')}\n`), unique.take(MISSING))
  archive.end()
}
