/** Recordings whose headers claim that they are shorter than they are. */

/** Finds a byte sequence and returns its position. */
function find(bytes: Buffer, word: string | Buffer, from = 0): number {
  const at = bytes.indexOf(word, from, 'latin1')
  if (at < 0) throw new Error(`no ${word.toString('hex')}`)
  return at
}

/** CRC-32 of Ogg pages (RFC 3533, section 6): polynomial 0x04c11db7, no reflection. */
function oggChecksum(page: Buffer): number {
  let crc = 0
  for (const byte of page) {
    crc ^= byte << 24
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000_0000 ? (crc << 1) ^ 0x04c1_1db7 : crc << 1
  }
  return crc >>> 0
}

/** Makes the header of a file claim one second, by format. */
export const understate: Record<string, (bytes: Buffer) => void> = {
  // The total number of samples in STREAMINFO.
  flac: bytes => void bytes.writeUInt32BE(8000, 8 + 14),
  // The numbers of frames and bytes after the word Xing.
  mp3: bytes => {
    const at = Math.max(bytes.indexOf('Xing'), bytes.indexOf('Info'))
    bytes.writeUInt32BE(14, at + 8)
  },
  // Durations of the movie, the track, its edit and its media.
  m4a: bytes => {
    const movie = find(bytes, 'mvhd') + 4
    bytes.writeUInt32BE(bytes.readUInt32BE(movie + 12), movie + 16)
    const track = find(bytes, 'tkhd') + 4
    bytes.writeUInt32BE(bytes.readUInt32BE(movie + 12), track + 20)
    const media = find(bytes, 'mdhd') + 4
    bytes.writeUInt32BE(bytes.readUInt32BE(media + 12), media + 16)
    const edits = bytes.indexOf('edts', 0, 'latin1')
    if (edits >= 0) bytes.write('free', edits, 'latin1')
  },
  // The position at the end of the last page.
  ogg: bytes => {
    const at = bytes.lastIndexOf('OggS', undefined, 'latin1')
    const page = bytes.subarray(at)
    page.writeBigUInt64LE(8000n, 6)
    page.writeUInt32LE(0, 22)
    page.writeUInt32LE(oggChecksum(page), 22)
  },
  opus: bytes => {
    const page = bytes.subarray(bytes.lastIndexOf('OggS', undefined, 'latin1'))
    page.writeBigUInt64LE(48_000n, 6)
    page.writeUInt32LE(0, 22)
    page.writeUInt32LE(oggChecksum(page), 22)
  },
  // The element Duration, eight bytes, in milliseconds.
  mkv: bytes => void bytes.writeDoubleBE(1000, find(bytes, Buffer.from('448988', 'hex')) + 3),
  // Play duration and send duration of the File Properties object, in 100 ns, after the preroll.
  wma: bytes => {
    const at = find(bytes, Buffer.from('a1dcab8c47a9cf118ee400c00c205365', 'hex'))
    const preroll = bytes.readBigUInt64LE(at + 80)
    bytes.writeBigUInt64LE(10_000_000n + preroll * 10_000n, at + 64)
    bytes.writeBigUInt64LE(10_000_000n, at + 72)
  },
  // The number of frames in the main header, and the length in the audio stream's header.
  avi: bytes => {
    bytes.writeUInt32LE(10, find(bytes, 'avih') + 8 + 16)
    for (let at = bytes.indexOf('strh'); at >= 0; at = bytes.indexOf('strh', at + 4)) {
      const [scale, rate] = [bytes.readUInt32LE(at + 8 + 20), bytes.readUInt32LE(at + 8 + 24)]
      bytes.writeUInt32LE(Math.round(rate / scale), at + 8 + 32)
    }
  },
}
