/**
 * Writes TAR in the pax interchange format of POSIX.1-2001: ustar headers, preceded by extended headers for what does not
 * fit (https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html).
 */
import { cutUtf8 } from '../../../../shared/names/cut-utf8.ts'
import { type ArchiveEntry, type Member, modeOf } from '../model.ts'
import type { Sink } from '../sink.ts'
import { BLOCK_BYTES } from './header.ts'

/** Archives are padded to whole records of 20 blocks, as on tapes and by other programs. */
const RECORD_BYTES = 20 * BLOCK_BYTES
const NAME_BYTES = 100
const PREFIX_BYTES = 155
/** Largest number with eleven octal digits: 8 GiB − 1, or a time in the year 2242. */
const OCTAL_LIMIT = 0o77777777777
const typeFlags = { file: '0', hardlink: '1', symlink: '2', folder: '5' } as const
const ZEROS = Buffer.alloc(RECORD_BYTES)

/** Writes all members and the end of the archive, and its comment at the start; the sink is left open. */
export async function writeTar(members: AsyncIterable<Member>, sink: Sink, comment?: string): Promise<void> {
  let written = 0
  const put = async (bytes: Uint8Array) => {
    written += bytes.length
    await sink.write(bytes)
  }
  const pad = (unit: number) => put(ZEROS.subarray(0, -written & (unit - 1)))
  if (comment) await put(extendedHeader('archive', [['comment', comment]], 'g'))
  for await (const { entry, data } of members) {
    await put(headersOf(entry))
    if (!data) continue
    const end = written + entry.size
    for await (const chunk of data) await put(chunk)
    if (written !== end) throw new Error(`${entry.path} is not as long as its entry says`)
    await pad(BLOCK_BYTES)
  }
  await put(ZEROS.subarray(0, 2 * BLOCK_BYTES))
  await put(ZEROS.subarray(0, (RECORD_BYTES - (written % RECORD_BYTES)) % RECORD_BYTES))
}

function headersOf(entry: ArchiveEntry): Buffer {
  const path = entry.kind === 'folder' ? `${entry.path}/` : entry.path
  const seconds = (entry.modified?.getTime() ?? 0) / 1000
  const extended: [string, string][] = []
  const place = splitPath(path)
  if (!place) extended.push(['path', path])
  const target = entry.target ?? ''
  const targetFits = isPlain(target) && target.length <= NAME_BYTES
  if (!targetFits) extended.push(['linkpath', target])
  if (entry.size > OCTAL_LIMIT) extended.push(['size', String(entry.size)])
  const isWhole = Number.isInteger(seconds) && seconds >= 0 && seconds <= OCTAL_LIMIT
  if (!isWhole) extended.push(['mtime', decimal(seconds)])
  if (entry.comment) extended.push(['comment', entry.comment])
  const own = header({
    // Programs that do not know extended headers get as much of the name as fits.
    ...(place ?? { prefix: '', name: cutUtf8(path, NAME_BYTES) }),
    target: targetFits ? target : cutUtf8(target, NAME_BYTES),
    size: entry.size > OCTAL_LIMIT ? 0 : entry.size,
    seconds: Math.min(Math.max(0, Math.floor(seconds)), OCTAL_LIMIT),
    mode: modeOf(entry),
    type: typeFlags[entry.kind],
  })
  return extended.length > 0 ? Buffer.concat([extendedHeader(path, extended), own]) : own
}

/** `path` as name and prefix of a ustar header, or undefined if it does not fit or is not plain ASCII. */
function splitPath(path: string): { prefix: string; name: string } | undefined {
  if (!isPlain(path)) return undefined
  if (path.length <= NAME_BYTES) return { prefix: '', name: path }
  const slash = path.indexOf('/', path.length - NAME_BYTES - 1)
  if (slash < 1 || slash > PREFIX_BYTES || slash === path.length - 1) return undefined
  return { prefix: path.slice(0, slash), name: path.slice(slash + 1) }
}

const isPlain = (text: string) => /^[\x20-\x7e]*$/.test(text)

/** A time in seconds with millisecond precision, without the exponent that JavaScript may write. */
const decimal = (seconds: number) => seconds.toFixed(3).replace(/\.?0+$/, '')

/** An extended header, for one entry or the whole archive, with records that each begin with their own length. */
function extendedHeader(path: string, records: readonly [string, string][], type: 'g' | 'x' = 'x'): Buffer {
  const body = Buffer.concat(records.map(([key, value]) => record(key, value)))
  const own = header({
    prefix: '',
    name: cutUtf8(`PaxHeaders/${path.split('/').findLast(part => part !== '')}`, NAME_BYTES),
    target: '',
    size: body.length,
    seconds: 0,
    mode: 0o644,
    type,
  })
  return Buffer.concat([own, body, ZEROS.subarray(0, -body.length & (BLOCK_BYTES - 1))])
}

function record(key: string, value: string): Buffer {
  const rest = Buffer.from(` ${key}=${value}\n`)
  let length = rest.length + String(rest.length).length
  // The length includes its own digits.
  if (rest.length + String(length).length > length) length++
  return Buffer.concat([Buffer.from(String(length)), rest])
}

interface Fields {
  prefix: string
  name: string
  target: string
  size: number
  seconds: number
  mode: number
  type: string
}

/** A ustar header without owner and group, since those of another system mean nothing here. */
function header({ prefix, name, target, size, seconds, mode, type }: Fields): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES)
  block.write(name, 0)
  block.write(octal(mode, 7), 100)
  block.write(octal(0, 7), 108)
  block.write(octal(0, 7), 116)
  block.write(octal(size, 11), 124)
  block.write(octal(seconds, 11), 136)
  block.write('        ', 148)
  block.write(type, 156)
  block.write(target, 157)
  block.write('ustar\x0000', 257)
  block.write(prefix, 345)
  let sum = 0
  for (let at = 0; at < BLOCK_BYTES; at++) sum += block[at]!
  block.write(`${octal(sum, 6)}\0 `, 148)
  return block
}

const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
