import { createWriteStream } from 'node:fs'
import { rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { Converter } from '../../convert/catalogue/converter.ts'
import { formats, mimeOfName } from '../../convert/catalogue/formats.ts'
import type { Output } from '../../convert/catalogue/task.ts'
import { JobFailure } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import { cleanName, nameAround, portableName, UniqueNames } from '../../shared/names/names.ts'
import { syncFile } from '../../shared/placing/durable.ts'
import type { Packaged } from './protocol.ts'

/** Suffixes of formats that are already compressed: storing them saves time and loses nothing. */
const STORED = /\.(avif|gif|jpe?g|png|webp|webm|mp3|m4a|ogg|opus|flac|docx|xlsx|epub|zip)$/i

/**
 * Turns a conversion's outputs into the one file that a client downloads: the output itself, or a ZIP of all outputs,
 * named as the contract says.
 */
export async function packageOutputs(
  converter: Converter,
  stem: string,
  outputs: readonly Output[],
  folder: string,
): Promise<Packaged> {
  const [first] = outputs
  if (!first) throw new JobFailure('jobs.corrupt_input', message('workers.no_output'))
  const extension = formats[converter.target].suffixes[0] ?? converter.target
  const fileCount = first.files ?? outputs.length
  if (fileCount === 1) {
    const fileName = cleanName(first.name ?? `${stem}.${extension}`)
    const contentType = first.name ? mimeOfName(first.name) : formats[converter.target].mime
    return { path: first.path, fileName, contentType, fileCount: 1, bytes: await settle(first.path) }
  }
  const conversion = `${converter.source}-to-${converter.target}`
  const fileName = nameAround(`service-${conversion}-`, stem, `-${fileCount}-outputs.zip`)
  const path = first.files ? first.path : join(folder, 'outputs.zip')
  if (!first.files) await zip(path, nameAll(outputs, stem, extension))
  return {
    path,
    fileName,
    contentType: 'application/zip',
    fileCount,
    bytes: await settle(path),
  }
}

/** Gives every output a unique name; unnamed ones are numbered in order, padded so that they sort. */
function nameAll(
  outputs: readonly Output[],
  stem: string,
  extension: string,
): { path: string; name: string }[] {
  const width = String(outputs.length).length
  const unique = new UniqueNames()
  return outputs.map((output, index) => {
    const wanted = output.name ?? `${stem}-${String(index + 1).padStart(width, '0')}.${extension}`
    return { path: output.path, name: unique.take(portableName(wanted)) }
  })
}

async function zip(path: string, members: { path: string; name: string }[]): Promise<void> {
  const archive = new ZipFile()
  for (const member of members) {
    archive.addFile(member.path, member.name, { compress: !STORED.test(member.name) })
  }
  archive.end()
  const partial = `${path}.part`
  await pipeline(archive.outputStream, createWriteStream(partial))
  await rename(partial, path)
}

/** What is larger takes long to sync. */
const LARGE_BYTES = 2 ** 23

/** The size of a file. The store syncs what it takes over, so that it survives a power loss; of a large file, most is on the disk by then. */
async function settle(path: string): Promise<number> {
  const { size } = await stat(path)
  if (size > LARGE_BYTES) await syncFile(path)
  return size
}
