/** Mobipocket books written by the tests: as simple as the format allows, and independent of the service's writer. */

export interface MobiParts {
  /** 0 for PalmDOC text without a MOBI header. */
  version?: 0 | 4 | 6
  compression?: 'none' | 'palmdoc' | 'huffcdic'
  codePage?: 1252 | 65_001
  title?: string
  /** In the encoding of the code page. */
  text: Buffer
  metadata?: readonly (readonly [type: number, value: string | number])[]
  resources?: readonly Buffer[]
  /** Adds trailing entries to each text record, as in Kindle books. */
  trailing?: boolean
  encryption?: number
  /** Locale as a Windows number. */
  locale?: number
}

const RECORD_BYTES = 4096
const HEADER_BYTES = 232
const NOT_SET = 0xffff_ffff

export function mobiFile(parts: MobiParts): Buffer {
  const { version = 6, compression = 'palmdoc', text, resources = [], trailing = false } = parts
  const records: Buffer[] = []
  for (let at = 0; at < text.length; at += RECORD_BYTES) {
    const packed = packers[compression](text.subarray(at, at + RECORD_BYTES))
    // The rest of a split character (none here), and an entry of three bytes.
    records.push(trailing ? Buffer.concat([packed, Buffer.from([0, 7, 7, 0x83])]) : packed)
  }
  const huff = compression === 'huffcdic' ? huffRecords() : []
  const head = header(parts, { version, compression, texts: records.length, huff: huff.length })
  const end = Buffer.from('e98e0d0a', 'hex')
  return palmDatabase(version === 0 ? 'TEXtREAd' : 'BOOKMOBI', parts.title ?? 'book', [
    head,
    ...records,
    ...huff,
    ...resources,
    end,
  ])
}

export function palmDatabase(type: string, name: string, records: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(78 + 8 * records.length + 2)
  head.write(name.slice(0, 31), 0, 'latin1')
  head.write(type, 60, 'latin1')
  head.writeUInt16BE(records.length, 76)
  let at = head.length
  for (const [index, record] of records.entries()) {
    head.writeUInt32BE(at, 78 + 8 * index)
    at += record.length
  }
  return Buffer.concat([head, ...records])
}

function header(
  { text, codePage = 65_001, title = 'book', metadata, encryption = 0, trailing, locale = 9 }: MobiParts,
  {
    version,
    compression,
    texts,
    huff,
  }: { version: number; compression: string; texts: number; huff: number },
): Buffer {
  const head = Buffer.alloc(version === 0 ? 16 : 16 + HEADER_BYTES)
  head.writeUInt16BE({ none: 1, palmdoc: 2, huffcdic: 17_480 }[compression]!, 0)
  head.writeUInt32BE(text.length, 4)
  head.writeUInt16BE(texts, 8)
  head.writeUInt16BE(RECORD_BYTES, 10)
  head.writeUInt16BE(encryption, 12)
  if (version === 0) return head
  head.write('MOBI', 16)
  const exth = exthBlock(metadata ?? [])
  const name = Buffer.from(title)
  const fields: Record<number, number> = {
    20: HEADER_BYTES,
    24: 2,
    28: codePage,
    32: 7,
    36: version,
    80: texts + 1,
    84: head.length + exth.length,
    88: name.length,
    92: locale,
    104: version,
    108: texts + huff + 1,
    112: huff > 0 ? texts + 1 : 0,
    116: huff,
    128: metadata ? 0x40 : 0,
    168: NOT_SET,
    224: NOT_SET,
    240: trailing ? 3 : 0,
    244: NOT_SET,
  }
  for (let at = 40; at < 80; at += 4) head.writeUInt32BE(NOT_SET, at)
  for (const [at, value] of Object.entries(fields)) head.writeUInt32BE(value, Number(at))
  return Buffer.concat([head, metadata ? exth : Buffer.alloc(exth.length), name, Buffer.alloc(4)])
}

function exthBlock(metadata: readonly (readonly [number, string | number])[]): Buffer {
  const values = metadata.map(([type, value]) => {
    const data = typeof value === 'number' ? number32(value) : Buffer.from(value)
    return Buffer.concat([number32(type), number32(8 + data.length), data])
  })
  const body = Buffer.concat(values)
  const padding = Buffer.alloc((4 - (body.length % 4)) % 4)
  return Buffer.concat([
    Buffer.from('EXTH'),
    number32(12 + body.length),
    number32(values.length),
    body,
    padding,
  ])
}

const number32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const packers = { none: (text: Buffer) => text, palmdoc: packPalmDoc, huffcdic: packHuff }

function packPalmDoc(text: Buffer): Buffer {
  const packed: number[] = []
  for (let at = 0; at < text.length; ) {
    const byte = text[at]!
    const pair = longestPair(text, at)
    if (pair.length >= 3) {
      const code = 0x8000 | (pair.distance << 3) | (pair.length - 3)
      packed.push(code >> 8, code & 0xff)
      at += pair.length
    } else if (byte === 0x20 && text[at + 1]! >= 0x40 && text[at + 1]! < 0x80) {
      packed.push(text[at + 1]! | 0x80)
      at += 2
    } else {
      if (byte === 0 || (byte >= 9 && byte < 0x80)) packed.push(byte)
      else packed.push(1, byte)
      at++
    }
  }
  return Buffer.from(packed)
}

function longestPair(text: Buffer, at: number): { distance: number; length: number } {
  for (let length = Math.min(10, text.length - at); length >= 3; length--) {
    const found = text.subarray(0, at + length - 1).lastIndexOf(text.subarray(at, at + length))
    if (found >= 0 && found < at && at - found < 2048) return { distance: at - found, length }
  }
  return { distance: 0, length: 0 }
}

/**
 * Phrases 0 to 254 are the bytes 255 to 1, with 8-bit codes; the following ones, with 12-bit codes, are words made of
 * such codes themselves, the first two of which contain each other.
 */
const words = [' the ', 'and the ', '<p>', '</p>', 'ing ', 'chapter', ' of ', 'which']
const FIRST_WORD = 255

function packHuff(text: Buffer, from = 0): Buffer {
  let bits = ''
  const source = text.toString('latin1')
  for (let at = 0; at < source.length; ) {
    const word = words.findIndex((each, index) => index >= from && source.startsWith(each, at))
    if (word >= 0) bits += word.toString(2).padStart(12, '0')
    else bits += text[at]!.toString(2).padStart(8, '0')
    at += word >= 0 ? words[word]!.length : 1
  }
  const bytes = bits.match(/.{1,8}/g) ?? []
  // An incomplete byte of ones is not a code.
  return Buffer.from(bytes.map(byte => Number.parseInt(byte.padEnd(8, '1'), 2)))
}

function huffRecords(): Buffer[] {
  // Real files contain both tables again in the other byte order.
  const huff = Buffer.alloc(24 + 2 * (256 * 4 + 32 * 8))
  huff.write('HUFF')
  huff.writeUInt32BE(24, 4)
  huff.writeUInt32BE(24, 8)
  huff.writeUInt32BE(24 + 1024, 12)
  for (let top = 0; top < 256; top++) huff.writeUInt32BE(top === 0 ? 9 : (255 << 8) | 0x88, 24 + 4 * top)
  for (let length = 1; length <= 32; length++) {
    const at = 24 + 1024 + 8 * (length - 1)
    huff.writeUInt32BE(length === 12 ? 0 : 2 ** length - 1, at)
    if (length === 12) huff.writeUInt32BE(FIRST_WORD + words.length - 1, at + 4)
  }
  const bytes = Array.from({ length: FIRST_WORD }, (_, index) => plain(Buffer.from([255 - index])))
  const coded = words
    .map((word, index) => {
      const data = packHuff(Buffer.from(word), index + 1)
      return Buffer.concat([Buffer.from([data.length >> 8, data.length & 0xff]), data])
    })
    // Codes count down.
    .reverse()
  return [huff, dictionary([...bytes, ...coded])]
}

const plain = (data: Buffer) => Buffer.concat([Buffer.from([0x80 | (data.length >> 8), data.length]), data])

function dictionary(phrases: readonly Buffer[]): Buffer {
  const offsets = Buffer.alloc(2 * phrases.length)
  let at = offsets.length
  for (const [index, phrase] of phrases.entries()) {
    offsets.writeUInt16BE(at, 2 * index)
    at += phrase.length
  }
  const head = Buffer.concat([Buffer.from('CDIC'), number32(16), number32(phrases.length), number32(16)])
  return Buffer.concat([head, offsets, ...phrases])
}
