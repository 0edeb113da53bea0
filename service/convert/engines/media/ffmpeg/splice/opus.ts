/** Joins Opus files at packet boundaries into new Ogg pages (RFC 3533, RFC 7845). */
import { open } from 'node:fs/promises'
import { crcTable } from '../../../common/crc.ts'
import { blocksOf, CannotJoinError, type EncodedPart } from './blocks.ts'

/** Samples in a packet of 20 ms; Opus counts at 48 kHz whatever the source's rate. */
export const OPUS_PACKET_SAMPLES = 960

/** Offset of the pre-skip in the first header: samples that are decoded before the audio begins. */
const PRE_SKIP_OFFSET = 10

/** How much resampling may deviate from the exact number of samples. */
const ROUNDING_SAMPLES = 32

/** Packets per page: one second, as encoders write. */
const PAGE_PACKETS = 50

/** Flags of the first and the last page. */
const FIRST = 2
const LAST = 4

/** @throws Error if there is no page */
function pageSize(bytes: Buffer, offset: number): number {
  const body = offset + 27 + (bytes[offset + 26] ?? Number.NaN)
  if (!(body <= bytes.length)) return Number.NaN
  if (bytes.toString('latin1', offset, offset + 4) !== 'OggS') throw new Error('no Ogg page')
  let size = body - offset
  for (let at = offset + 27; at < body; at++) size += bytes[at] as number
  return size
}

const copyOf = (bytes: Buffer): Buffer => Buffer.from(bytes)

interface Packets {
  /** Serial number of the stream. */
  serial: number
  /** Overwritten by the next block. */
  packets: Buffer[]
  /** Position of the last sample, including the delay at the start. */
  end: bigint
}

/** The packets of an Ogg file, one block at a time. */
async function* packetsOf(path: string): AsyncGenerator<Packets> {
  let started: Buffer[] = []
  for await (const { bytes, bounds } of blocksOf(path, pageSize)) {
    const packets: Buffer[] = []
    const pages = bounds.slice(0, -1)
    const last = pages.at(-1)
    if (last === undefined) continue
    for (const page of pages) {
      const segments = bytes[page + 26] as number
      let from = page + 27 + segments
      let to = from
      for (let index = 0; index < segments; index++) {
        const size = bytes[page + 27 + index] as number
        to += size
        if (size === 255 && index < segments - 1) continue
        started.push(bytes.subarray(from, to))
        from = to
        if (size === 255) continue
        packets.push(started.length === 1 ? (started[0] as Buffer) : Buffer.concat(started))
        started = []
      }
    }
    started = started.map(copyOf)
    yield { serial: bytes.readUInt32LE(last + 14), packets, end: bytes.readBigInt64LE(last + 6) }
  }
}

/**
 * Joins parts of one media file, each of which repeats `skip` packets before its own start.
 * @throws Error if a part is not an Ogg file; `CannotJoinError` if it lacks samples
 */
export async function joinOpus(parts: readonly EncodedPart[], output: string): Promise<void> {
  await using file = await open(output, 'w')
  let writer: ReturnType<typeof pageWriter> | undefined
  let packets: Buffer[] = []
  let [written, segments] = [0, 0]
  // The last page's position trims the last packet; it counts from the start of its own part.
  let end = 0n
  for (const { path, skip, take = Number.POSITIVE_INFINITY, samples } of parts) {
    const before = written + packets.length
    // Two headers come first.
    const [first, limit] = [2 + skip, 2 + skip + take]
    let [number, delay, heard] = [0, 0, 0]
    for await (const block of packetsOf(path)) {
      const pages: Buffer[] = []
      end = BigInt((before - skip) * OPUS_PACKET_SAMPLES) + block.end
      if (number === 0) delay = block.packets[0]?.readUInt16LE(PRE_SKIP_OFFSET) ?? 0
      if (!writer) {
        const [head, tags] = block.packets as [Buffer, Buffer]
        writer = pageWriter(block.serial)
        pages.push(writer([head], 0n, FIRST), writer([tags], 0n, 0))
      }
      for (const packet of block.packets) {
        if (number >= first && number < limit) {
          const size = Math.floor(packet.length / 255) + 1
          if (packets.length === PAGE_PACKETS || segments + size > 255) {
            written += packets.length
            pages.push(writer(packets, BigInt(written * OPUS_PACKET_SAMPLES), 0))
            packets = []
            segments = 0
          }
          packets.push(packet)
          segments += size
        }
        number++
      }
      packets = packets.map(copyOf)
      await file.writeFile(Buffer.concat(pages))
      heard = Number(block.end) - delay
    }
    if (samples !== undefined && Math.abs(heard - samples) > ROUNDING_SAMPLES) throw new CannotJoinError()
  }
  if (writer) await file.writeFile(writer(packets, end, LAST))
}

function pageWriter(serial: number) {
  let sequence = 0
  return (packets: readonly Buffer[], position: bigint, flags: number): Buffer => {
    const lacing = packets.flatMap(({ length }) => [
      ...Array(Math.floor(length / 255)).fill(255),
      length % 255,
    ])
    const header = Buffer.alloc(27 + lacing.length)
    header.write('OggS', 'latin1')
    header[5] = flags
    header.writeBigInt64LE(position, 6)
    header.writeUInt32LE(serial, 14)
    header.writeUInt32LE(sequence++, 18)
    header[26] = lacing.length
    header.set(lacing, 27)
    const page = Buffer.concat([header, ...packets])
    page.writeUInt32LE(crc32(page), 22)
    return page
  }
}

const crcs = crcTable(32, 0x04c1_1db7)

/** Ogg's CRC: the usual polynomial, but neither reflected nor inverted. */
function crc32(bytes: Buffer): number {
  let value = 0
  for (let index = 0; index < bytes.length; index++) {
    // Signed in between, to fit into a machine word.
    value = (value << 8) ^ (crcs[(value >>> 24) ^ (bytes[index] as number)] as number)
  }
  return value >>> 0
}
