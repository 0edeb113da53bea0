/** Joins Opus files by whole packets into new Ogg pages (RFC 3533, RFC 7845). */

/** A part to join: a whole Ogg Opus file of packets of 20 ms. */
export interface OpusPart {
  bytes: Buffer
  /** Packets to leave out at its start. */
  skip: number
  /** Packets to take; all that follow when absent. */
  take?: number
}

/** Samples of a packet of 20 ms; Opus counts at 48 kHz whatever went in. */
export const OPUS_PACKET_SAMPLES = 960

/** Packets of one page: a second, as encoders do. */
const PAGE_PACKETS = 50

/** Flags of the first and the last page. */
const FIRST = 2
const LAST = 4

interface Ogg {
  /** Bits that tell this stream from others. */
  serial: number
  packets: Buffer[]
  /** Position of the last sample, with the delay at the start. */
  end: bigint
}

function readOgg(bytes: Buffer): Ogg {
  const packets: Buffer[] = []
  let pieces: Buffer[] = []
  let end = 0n
  const serial = bytes.readUInt32LE(14)
  for (let offset = 0; offset + 27 <= bytes.length; ) {
    if (bytes.toString('latin1', offset, offset + 4) !== 'OggS') throw new Error('no Ogg page')
    const segments = bytes[offset + 26] as number
    end = bytes.readBigInt64LE(offset + 6)
    let at = offset + 27 + segments
    let from = at
    for (let index = 0; index < segments; index++) {
      const size = bytes[offset + 27 + index] as number
      at += size
      if (size < 255) {
        pieces.push(bytes.subarray(from, at))
        packets.push(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces))
        pieces = []
        from = at
      }
    }
    if (at > from) pieces.push(bytes.subarray(from, at))
    offset = at
  }
  return { serial, packets, end }
}

/**
 * Joins parts of one recording, each of which repeats `skip` packets before its own start.
 * @throws Error when a part is no Ogg file
 */
export function joinOpus(parts: readonly OpusPart[]): Buffer[] {
  const streams = parts.map(({ bytes }) => readOgg(bytes))
  const [first] = streams as [Ogg]
  const [head, tags] = first.packets as [Buffer, Buffer]
  const packets: Buffer[] = []
  let end = 0n
  for (const [index, { skip, take }] of parts.entries()) {
    const stream = streams[index] as Ogg
    // The last packet is cut by the position it is given, counted from this part's own start.
    end = BigInt((packets.length - skip) * OPUS_PACKET_SAMPLES) + stream.end
    const from = 2 + skip
    for (const packet of stream.packets.slice(from, take === undefined ? undefined : from + take)) {
      packets.push(packet)
    }
  }
  const writer = pageWriter(first.serial)
  const pages = [writer([head], 0n, FIRST), writer([tags], 0n, 0)]
  for (let from = 0; from < packets.length; ) {
    let to = from
    let segments = 0
    while (to < packets.length && to - from < PAGE_PACKETS) {
      segments += Math.floor((packets[to] as Buffer).length / 255) + 1
      if (segments > 255) break
      to++
    }
    const last = to === packets.length
    pages.push(
      writer(packets.slice(from, to), last ? end : BigInt(to * OPUS_PACKET_SAMPLES), last ? LAST : 0),
    )
    from = to
  }
  return pages
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

const crcTable = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24
  for (let bit = 0; bit < 8; bit++) value = value & 0x8000_0000 ? (value << 1) ^ 0x04c1_1db7 : value << 1
  return value
})

/** Ogg's CRC: the usual polynomial, but neither reversed nor inverted. */
function crc32(bytes: Buffer): number {
  let value = 0
  for (let index = 0; index < bytes.length; index++) {
    // Signed on the way, which fits into a machine word.
    value = (value << 8) ^ (crcTable[(value >>> 24) ^ (bytes[index] as number)] as number)
  }
  return value >>> 0
}
