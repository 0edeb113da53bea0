import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { UniqueNames } from '../../shared/names/names.ts'

/** A file for an archive. */
export interface ArchiveFile {
  name: string
  /** Opens its content; undefined if it has gone. */
  open(): Promise<Readable | undefined>
}

/** Name of the list of missing members; sorts first in most file managers. */
const MISSING = '_not included.txt'

/**
 * Streams members as a ZIP, without compression. Each is opened only when its turn comes, so that a thousand members do
 * not keep a thousand files open; missing ones are left out and listed in a text file. A member that cannot be read to
 * its end aborts the stream, so that nobody takes the archive for complete.
 */
export function archiveOf(members: readonly ArchiveFile[]): Readable {
  const archive = new ZipFile()
  const output = archive.outputStream as Readable
  archive.on('error', error => output.destroy(error))
  void addAll(archive, members, output).catch(error => output.destroy(error))
  return output
}

async function addAll(archive: ZipFile, members: readonly ArchiveFile[], output: Readable): Promise<void> {
  const unique = new UniqueNames()
  const missing: string[] = []
  for (const { name, open } of members) {
    const content = await open()
    if (output.destroyed) return void content?.destroy()
    if (!content) {
      missing.push(name)
      continue
    }
    // The client may disconnect in the middle of the download.
    const stop = () => content.destroy()
    output.once('close', stop)
    archive.addReadStream(content, unique.take(name), { compress: false })
    await finished(content)
    output.off('close', stop)
  }
  if (missing.length > 0) archive.addBuffer(Buffer.from(`${missing.join('\n')}\n`), unique.take(MISSING))
  archive.end()
}
