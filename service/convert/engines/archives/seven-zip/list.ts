/** Lists an archive with 7-Zip (`l -slt`): a block of `Name = value` lines for each member. */
import { createInterface } from 'node:readline'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { ARCHIVE_LIMITS } from '../../common/limits.ts'
import { failureOf, start, unsupportedMethod } from './program.ts'

/** Longest comment that is kept. */
const COMMENT_BYTES = 65_536

/**
 * RAR up to version 4 and CAB, whose times are local times of the machine that created the archive. 7-Zip, started with UTC as its
 * time zone, lists them unchanged; on Windows it always uses the time zone of the system.
 */
const LOCAL_TIMES = ['Rar', 'Cab']

/** A member as 7-Zip lists it. */
export interface Listed {
  /** Bytes of the name, in an unknown encoding. */
  path: Buffer
  isFolder: boolean
  /** Unix permissions with the file type, as printed by `ls`; undefined if the archive has Windows attributes. */
  permissions: string | undefined
  /** Unpacked size in bytes. */
  size: number
  modified: Date | null
  /** CRC-32 of these bytes, if the archive has it. */
  crc: number | undefined
  isEncrypted: boolean
  symlink: Buffer | undefined
  /** The member whose content it shares. */
  hardlink: Buffer | undefined
  /** The member with the same content, which 7-Zip unpacks again for a copy that RAR stores once. */
  copyOf: Buffer | undefined
}

export interface Listing {
  members: Listed[]
  /** Such as `7z`, `Rar` or `Rar5`. */
  type: string
  comment: string | undefined
}

/**
 * @param type in 7-Zip's words; found by the content if undefined
 * @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_large
 */
export async function list(path: string, password: string | undefined, type?: string): Promise<Listing> {
  const words = [...(type ? [`-t${type}`] : []), '-slt', '-slmu', '-sccUTF-8', '-sns-', '--', path]
  await using program = start(['l', ...words], password)
  if (password === undefined) program.child.stdin.end()
  // Raw bytes, since names may have any encoding.
  program.child.stdout.setEncoding('latin1')
  const lines = createInterface({ input: program.child.stdout, crlfDelay: Number.POSITIVE_INFINITY })
  const header = new Header()
  const members: Listed[] = []
  let fields: Map<string, string> | undefined
  const finish = () => {
    const listed = fields && fields.size > 0 ? listedOf(fields, header.values.get('Type')) : undefined
    if (listed) members.push(listed)
    fields?.clear()
  }
  for await (const line of lines) {
    if (line === '----------') {
      // The comment of an archive may also contain this line, so the last one counts.
      fields = new Map()
      members.length = 0
    } else if (!fields) header.add(line)
    else if (line === '') finish()
    else {
      const [name = '', value = ''] = split(line)
      fields.set(name, value)
    }
    if (members.length > ARCHIVE_LIMITS.entries) {
      const limit = ARCHIVE_LIMITS.entries
      throw new JobFailure('jobs.too_large', message('archive.too_many_entries', { limit }))
    }
  }
  finish()
  const { code, log } = await program.ended
  const isPart = header.values.get('Multivolume') === '+'
  if (isPart) throw new JobFailure('jobs.corrupt_input', message('archive.multi_volume'))
  if (code !== 0 || !fields) throw failureOf(`${log}\n${header.text}`, password !== undefined)
  const unknown = unknownMethod(header.values.get('Method'))
  if (unknown !== undefined) throw unsupportedMethod(unknown)
  resolveCopies(members)
  return { members, type: header.values.get('Type') ?? '', comment: header.comment }
}

/** Methods of 7z that other programs add to it (https://github.com/mcmilk/7-Zip-zstd), by their number. */
const addedMethods: Readonly<Record<string, string>> = {
  '04F71101': 'Zstandard',
  '04F71102': 'Brotli',
  '04F71104': 'LZ4',
  '04F71105': 'LZ5',
  '04F71106': 'Lizard',
}

/** The name of a method that 7-Zip lists as a number, as it does with those that it cannot unpack. */
const unknownMethod = (methods = ''): string | undefined =>
  methods.split(' ').flatMap(method => addedMethods[method.split(':')[0]!] ?? [])[0]

/** A copy has the checksum of its original, which comes before it; without one it is a link to nothing. */
function resolveCopies(members: readonly Listed[]): void {
  if (members.every(({ copyOf }) => !copyOf)) return
  const originals = new Map<string, Listed>()
  for (const member of members) {
    const original = member.copyOf && originals.get(member.copyOf.toString('latin1'))
    if (original) member.crc = original.crc
    else if (member.copyOf) Object.assign(member, { hardlink: member.copyOf, size: 0 })
    originals.set(member.path.toString('latin1'), member)
  }
}

const split = (line: string): [string, string] | [] => {
  const at = line.indexOf(' =')
  return at < 0 ? [] : [line.slice(0, at), line.slice(at + 3)]
}

/** Output before the members: properties of the archive, its comment in braces, errors. */
class Header {
  readonly values = new Map<string, string>()
  text = ''
  #comment: string | undefined
  #isInComment = false

  add(line: string): void {
    if (this.text.length < COMMENT_BYTES) this.text += `${line}\n`
    if (this.#isInComment) {
      if (line === '}') this.#isInComment = false
      else if ((this.#comment ?? '').length < COMMENT_BYTES) this.#comment = `${this.#comment ?? ''}${line}\n`
    } else if (line === '{') this.#isInComment = true
    else {
      const [name, value = ''] = split(line)
      if (name === 'Comment' && value !== '') this.#comment = value
      else if (name !== undefined && !this.values.has(name)) this.values.set(name, value)
    }
  }

  get comment(): string | undefined {
    return this.#comment === undefined ? undefined : Buffer.from(this.#comment, 'latin1').toString().trimEnd()
  }
}

function listedOf(fields: ReadonlyMap<string, string>, type: string | undefined): Listed | undefined {
  const path = fields.get('Path')
  const of = (name: string) => fields.get(name) || undefined
  if (path === undefined || fields.get('Alternate Stream') === '+') return undefined
  const [flags = '', unix] = (fields.get('Attributes') ?? '').split(' ')
  const isFolder = fields.get('Folder') === '+' || flags.includes('D')
  const copyOf = of('Copy Link')
  const isLink = !copyOf && /\bLink:/.test(fields.get('Characteristics') ?? '')
  const isAnti = fields.get('Anti') === '+'
  if (isAnti) return undefined
  const crc = of('CRC')
  const bytes = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text, 'latin1'))
  const readOnly = flags.includes('R') ? '-r--r--r--' : undefined
  return {
    path: Buffer.from(path, 'latin1'),
    isFolder,
    permissions: unix ?? of('Mode') ?? (isFolder ? undefined : readOnly),
    size: isFolder || isLink ? 0 : Number(of('Size') ?? Number.NaN),
    modified: timeOf(of('Modified'), LOCAL_TIMES.includes(type ?? '') && process.platform !== 'win32'),
    crc: crc === undefined || isLink || copyOf ? undefined : Number.parseInt(crc, 16),
    isEncrypted: fields.get('Encrypted') === '+',
    symlink: bytes(of('Symbolic Link')),
    hardlink: bytes(of('Hard Link')),
    copyOf: bytes(copyOf),
  }
}

/**
 * Parses a listed time: `2026-11-22 05:19:12.5181348Z`.
 * @param isLocal whether it is a local time of unknown zone, which is read in the time zone of this machine
 */
function timeOf(text: string | undefined, isLocal: boolean): Date | null {
  const [, day, time, fraction = ''] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?/.exec(text ?? '') ?? []
  if (!day) return null
  const date = new Date(`${day}T${time}${fraction.slice(0, 4)}${isLocal ? '' : 'Z'}`)
  return Number.isNaN(date.getTime()) ? null : date
}
