import { FileError } from './errors.ts'

/** A file that is read while it is sent, as often as it has to be sent. */
export interface FileSource {
  readonly name: string
  /** In bytes. */
  readonly size: number
  stream(): AsyncIterable<Uint8Array<ArrayBuffer>>
}

/** What differs between two files, or two states of one. */
export interface FileStamp {
  readonly dev: number
  readonly ino: number
  readonly size: number
  readonly mtimeMs: number
}

/** What is used of Node's `fs`, which browsers do not have. */
interface Disk {
  stat(path: Path): Promise<FileStamp>
  open(path: Path): Promise<{
    stat(): Promise<FileStamp>
    read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>
    close(): Promise<void>
  }>
}
type Path = string | Uint8Array
interface Runtime {
  process?: { getBuiltinModule?(name: string): Disk }
}

/** How much is read, and in memory, at once. */
const CHUNK_BYTES = 2 ** 20

/**
 * A file of this machine, to be converted: it is read while it is sent, so that its size does not matter. If it has changed by then,
 * sending it ends with a `FileError`.
 * @param name by which the service knows it, if not by that of the path
 * @param stamp of the file that is meant, if not the one that is now there
 * @throws the system's error if there is none
 */
export async function fileFrom(
  path: Path,
  name: string = nameOf(path),
  stamp?: FileStamp,
): Promise<FileSource> {
  const disk = (globalThis as Runtime).process?.getBuiltinModule?.('node:fs/promises')
  if (!disk) throw new TypeError('A path is read by Node, from 20.16. Elsewhere, give the file itself.')
  const before = stamp ?? (await disk.stat(path))
  return { name, size: before.size, stream: () => read(disk, path, name, before) }
}

const nameOf = (path: Path): string => {
  const text = typeof path === 'string' ? path : new TextDecoder().decode(path)
  return text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1)
}

/** Reads a file as it was before. It is open only while a part of it is read, since nobody says when a request is given up. */
async function* read(disk: Disk, path: Path, name: string, before: FileStamp) {
  const check = (now: FileStamp) => {
    const same = (['dev', 'ino', 'size', 'mtimeMs'] as const).every(field => now[field] === before[field])
    if (!same) throw new FileError(name, 'file.changed')
  }
  for (let at = 0; at < before.size; ) {
    let chunk: Uint8Array<ArrayBuffer>
    try {
      const file = await disk.open(path)
      try {
        const buffer = new Uint8Array(Math.min(CHUNK_BYTES, before.size - at))
        const { bytesRead } = await file.read(buffer, 0, buffer.length, at)
        check(await file.stat())
        if (bytesRead === 0) throw new FileError(name, 'file.changed')
        chunk = buffer.subarray(0, bytesRead)
      } finally {
        await file.close()
      }
    } catch (error) {
      if (error instanceof FileError) throw error
      const isGone = (error as { code?: unknown }).code === 'ENOENT'
      throw new FileError(name, isGone ? 'file.changed' : 'file.unreadable', { cause: error })
    }
    at += chunk.length
    yield chunk
  }
}
