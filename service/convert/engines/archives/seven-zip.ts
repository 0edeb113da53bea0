/** Reads 7z, CAB, CPIO and RAR archives through 7-Zip. */
import { isUtf8 } from 'node:buffer'
import { open, stat } from 'node:fs/promises'
import { parse } from 'node:path'
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import { readAt } from '../common/read-at.ts'
import { Listing, type RawEntry, type Warn } from './listing.ts'
import { decoderFor, namesWarning, type Origin } from './names.ts'
import { type ExtractOptions, extract } from './seven-zip/extract.ts'
import { type Listed, list } from './seven-zip/list.ts'
import { unsupportedMethod } from './seven-zip/program.ts'
import { type Item, StreamedArchive } from './streamed.ts'

export interface SevenZipOptions extends ExtractOptions {
  format: '7z' | 'cab' | 'cpio' | 'rar'
  warn: Warn
  /** Name for members without one. */
  stem: string
  /** The encoding of names that are not in Unicode. */
  encoding?: Origin['encoding']
  /** Numbers of members that are left out because they are damaged. */
  leaveOut?: ReadonlySet<number>
}

/** How files of RAR before version 1.5 (1994) begin, which 7-Zip does not read. */
const FIRST_RAR = 'RE~^'
/** RAR up to version 4, whose comments 7-Zip does not read. */
const OLD_RAR = 'Rar'
/** Up to where its second block has named itself, which is the comment of the archive if there is one. */
const HEAD_BYTES = 64

const types = { '7z': /^7z$/, cab: /^Cab$/, cpio: /^Cpio$/, rar: /^Rar5?$/ }

/** @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_large */
export async function openSevenZip(
  path: string,
  { format, warn, stem, encoding, leaveOut, ...options }: SevenZipOptions,
): Promise<StreamedArchive> {
  const { size: archiveBytes } = await stat(path)
  const head = await headOf(path)
  if (head.toString('latin1', 0, 4) === FIRST_RAR) throw unsupportedMethod('RAR 1.4')
  // Some are only recognised by their suffix, which a worker's input does not have.
  const known = format === 'cpio' ? format : undefined
  const { members, type, comment } = await list(path, options.password, known)
  if (!types[format].test(type)) {
    throw new JobFailure('jobs.corrupt_input', message('archive.not_this_format'))
  }
  if (format === '7z') nameUnnamed(members, path, stem)
  const names = members.map(member => member.path)
  const decoder = decoderFor(names, { from: 'pcs', encoding })
  if (decoder.isGuess) warn(namesWarning(decoder))
  if (type === OLD_RAR && head.includes('CMT')) warn(message('archive.comments_left_out'))
  const listing = new Listing({ archiveBytes, hasWindowsPaths: process.platform === 'win32' })
  // 7-Zip prints Unicode names as UTF-8, and others as they are.
  const decode = (bytes: Buffer) => (isUtf8(bytes) ? bytes.toString() : decoder.decode(bytes))
  const items = members.values().map(member => itemOf(member, decode))
  return new StreamedArchive(items, kept => extract(path, kept, { ...options, type: known }), {
    listing,
    warn,
    comment,
    leaveOut,
  })
}

async function headOf(path: string): Promise<Buffer> {
  await using file = await open(path)
  return await readAt(file, 0, HEAD_BYTES)
}

/** 7-Zip names members without a name, such as what was packed from a pipe, after the file in which they are. */
function nameUnnamed(members: readonly Listed[], path: string, stem: string): void {
  const { name, ext } = parse(path)
  const derived = Buffer.from(ext ? name : `${name}~`)
  for (const member of members) {
    if (member.path.equals(derived)) member.path = Buffer.from(stem)
  }
}

function itemOf(listed: Listed, decode: (bytes: Buffer) => string): Item {
  const { size, crc, modified, permissions, isFolder, isEncrypted, symlink, hardlink } = listed
  const isLinkText = permissions?.startsWith('l') === true && !symlink && !hardlink
  const kind = kindOf(listed, isLinkText)
  const link = hardlink ?? symlink
  const target = link ? { target: decode(link).replaceAll('\\', '/') } : {}
  const raw = {
    path: decode(listed.path),
    kind,
    size,
    modified,
    mode: modeOf(permissions),
    ...target,
  }
  return { raw, size, crc, isFolder, isEncrypted, isLinkText }
}

function kindOf(
  { isFolder, size, permissions, symlink, hardlink }: Listed,
  isLinkText: boolean,
): RawEntry['kind'] {
  // A member packed from a pipe is marked as a pipe, but has the bytes that came through it.
  if (/^[bcps]/.test(permissions ?? '') && size === 0) return 'device'
  if (hardlink) return 'hardlink'
  if (symlink || isLinkText) return 'symlink'
  return isFolder ? 'folder' : 'file'
}

/** Permission bits from the notation of `ls`, such as `-rwsr-xr-x`; null if there are none. */
function modeOf(permissions: string | undefined): number | null {
  if (!permissions) return null
  const letters = permissions.slice(1)
  let mode = 0
  for (let index = 0; index < 9; index++) {
    const letter = letters[index] ?? '-'
    if (letter !== '-' && letter !== 'S' && letter !== 'T') mode |= 0o400 >> index
  }
  if (/[sS]/.test(letters[2] ?? '')) mode |= 0o4000
  if (/[sS]/.test(letters[5] ?? '')) mode |= 0o2000
  if (/[tT]/.test(letters[8] ?? '')) mode |= 0o1000
  return mode
}
