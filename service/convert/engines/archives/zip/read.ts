/** Reads ZIP archives: their directory and the usual methods here, everything else through 7-Zip. */
import { isUtf8 } from 'node:buffer'
import { type FileHandle, open } from 'node:fs/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { Listing, type RawEntry, type Warn } from '../listing.ts'
import { type Decoder, decoderFor, namesWarning, type Origin } from '../names.ts'
import { type ExtractOptions, extract } from '../seven-zip/extract.ts'
import { type Item, StreamedArchive } from '../streamed.ts'
import {
  ENCRYPTED,
  extraField,
  readZipDirectory,
  UTF8_NAMES,
  ZipError,
  type ZipRecord,
  type ZipRecords,
} from '../zip-directory.ts'
import { placeOf, unpackZip } from './data.ts'
import { infoZipName, modifiedOf } from './extra.ts'

/** Longest directory: a million entries with names of ordinary length. */
const DIRECTORY_BYTES = 256 * 2 ** 20
/** WinZip's AES, whose second version stores no checksum. */
const AES_FIELD = 0x9901

const hosts = { dos: 0, unix: 3, ntfs: 10, vfat: 14, macos: 19 } as const
const fileTypes = { mask: 0o170000, folder: 0o040000, file: 0o100000, symlink: 0o120000 } as const

export interface ZipOptions extends ExtractOptions {
  warn: Warn
  /** The encoding of names that do not declare theirs. */
  encoding?: Origin['encoding']
  /** Numbers of entries that are left out because they are damaged. */
  leaveOut?: ReadonlySet<number>
}

/** @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_large */
export async function openZip(path: string, options: ZipOptions): Promise<StreamedArchive> {
  const { warn, encoding, leaveOut } = options
  await using file = await open(path)
  const { records, comment } = await directoryOf(file)
  const decoder = decoderOf(records, encoding, warn)
  const { size: archiveBytes } = await file.stat()
  const listing = new Listing({ archiveBytes })
  const items = records[Symbol.iterator]().map(record => itemOf(record, decoder))
  const places = Array.from(records, placeOf)
  const isPlain = records[Symbol.iterator]().every(
    ({ method, flags }) => (method === 0 || method === 8) && !(flags & ENCRYPTED),
  )
  return new StreamedArchive(
    items,
    (kept, isWanted) => (isPlain ? unpackZip(path, kept, places, isWanted) : extract(path, kept, options)),
    { listing, warn, comment: decoder.decode(comment), leaveOut },
  )
}

async function directoryOf(file: FileHandle) {
  try {
    const directory = await readZipDirectory(file, DIRECTORY_BYTES)
    if (directory.isPart) throw new JobFailure('jobs.corrupt_input', message('archive.multi_volume'))
    if (!directory.isComplete) throw new ZipError('damaged')
    return directory
  } catch (error) {
    const isDamaged = error instanceof ZipError && error.code === 'jobs.corrupt_input'
    throw isDamaged
      ? new JobFailure('jobs.corrupt_input', message('archive.damaged'), { cause: error })
      : error
  }
}

/** The decoder for names without a declared encoding, the same for the whole archive. */
function decoderOf(records: ZipRecords, encoding: Origin['encoding'], warn: Warn): Decoder {
  const silent = records[Symbol.iterator]().filter(
    ({ flags, name, extra }) => !(flags & UTF8_NAMES) && !infoZipName(name, extra),
  )
  const decoder = decoderFor(
    silent.map(({ name }) => name),
    { from: 'pcs', encoding },
  )
  if (decoder.isGuess) warn(namesWarning(decoder))
  return decoder
}

function itemOf(record: ZipRecord, decoder: Decoder): Item {
  const { flags, crc, host, attributes, extra, bytes } = record
  const decode = (bytes: Buffer) =>
    flags & UTF8_NAMES && isUtf8(bytes) ? bytes.toString() : decoder.decode(bytes)
  const name = infoZipName(record.name, extra) ?? decode(record.name)
  const unixMode = host === hosts.unix || host === hosts.macos ? attributes >>> 16 : 0
  const type = unixMode & fileTypes.mask
  // Some programs on Windows separate folders by backslashes, against the standard.
  const isFromWindows = host === hosts.dos || host === hosts.ntfs || host === hosts.vfat
  const path = isFromWindows && !name.includes('/') ? name.replaceAll('\\', '/') : name
  const isFolder =
    path.endsWith('/') || type === fileTypes.folder || (!unixMode && (attributes & 0x10) !== 0 && bytes === 0)
  const isLinkText = type === fileTypes.symlink && !isFolder
  // A member packed from a pipe is marked as a pipe, but has the bytes that came through it.
  const isDevice = type !== 0 && type !== fileTypes.file && !isLinkText && !isFolder && bytes === 0
  const kind: RawEntry['kind'] = isFolder ? 'folder' : isLinkText ? 'symlink' : isDevice ? 'device' : 'file'
  const readOnly = !isFolder && !unixMode && attributes & 1 ? 0o444 : null
  const isEncrypted = (flags & ENCRYPTED) !== 0
  const comment = decode(record.comment)
  return {
    raw: {
      path,
      kind,
      size: bytes,
      modified: modifiedOf(record),
      mode: unixMode & 0o7777 ? unixMode & 0o7777 : readOnly,
      ...(comment ? { comment } : {}),
    },
    size: isFolder ? 0 : bytes,
    crc: isEncrypted && extraField(extra, AES_FIELD) ? undefined : crc,
    isFolder,
    isEncrypted,
    isLinkText,
  }
}
