/**
 * Office files protected with passwords as in earlier versions of Office; another program confirms that it can read them.
 */
import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { CompoundFile } from '../service/convert/engines/documents/formats/compound.ts'
import {
  applyRc4,
  type BlockKeys,
  cryptoApiKeys,
  decryptBlocks,
  office97Keys,
} from '../service/convert/engines/documents/office/rc4.ts'
import { CUTOFF, compound } from './compound.ts'

const numbers = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4)
  return bytes
}
const digest = (algorithm: string, ...parts: Buffer[]) =>
  createHash(algorithm).update(Buffer.concat(parts)).digest()

/** EncryptionHeader, [MS-OFFCRYPTO] 2.3.2, after its size and flags. */
function headerOf(flags: number, algorithm: number, keyBits: number, provider: number): Buffer {
  const name = Buffer.from('Microsoft Enhanced Cryptographic Provider v1.0\0', 'utf16le')
  const header = Buffer.concat([numbers(flags, 0, algorithm, 0x8004, keyBits, provider, 0, 0), name])
  return Buffer.concat([numbers(flags, header.length), header])
}

/** A package in the encryption of Office 2007: AES-128 in ECB mode. */
export function standardEncrypted(content: Buffer, password: string): Buffer {
  const [salt, verifier] = [randomBytes(16), randomBytes(16)]
  let hash = digest('sha1', salt, Buffer.from(password, 'utf16le'))
  for (let i = 0; i < 50_000; i++) hash = digest('sha1', numbers(i), hash)
  hash = digest('sha1', hash, numbers(0))
  const key = digest(
    'sha1',
    Buffer.from(Buffer.alloc(64, 0x36).map((byte, at) => byte ^ (hash[at] ?? 0))),
  ).subarray(0, 16)
  const encrypt = (data: Buffer) => {
    const engine = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false)
    return Buffer.concat([
      engine.update(Buffer.concat([data], Math.ceil(data.length / 16) * 16)),
      engine.final(),
    ])
  }
  const info = Buffer.concat([
    Buffer.from([3, 0, 2, 0]),
    headerOf(0x24, 0x660e, 128, 0x18),
    numbers(16),
    salt,
    encrypt(verifier),
    numbers(20),
    encrypt(digest('sha1', verifier)),
  ])
  return encryptedStreams(info, content.length, encrypt(content))
}

export type Rc4Kind = 'office97' | 'cryptoapi'

/** The description of the encryption, and the keys of its blocks. */
function rc4Of(kind: Rc4Kind, password: string): { header: Buffer; keys: BlockKeys } {
  const [salt, verifier] = [randomBytes(16), randomBytes(16)]
  const [keys, hash] =
    kind === 'office97'
      ? ([office97Keys(password, salt), 'md5'] as const)
      : ([cryptoApiKeys(password, salt, 128), 'sha1'] as const)
  const secret = Buffer.concat([verifier, digest(hash, verifier)])
  applyRc4(keys(0), secret)
  const header =
    kind === 'office97'
      ? Buffer.concat([Buffer.from([1, 0, 1, 0]), salt, secret])
      : Buffer.concat([
          Buffer.from([2, 0, 2, 0]),
          headerOf(4, 0x6801, 128, 1),
          numbers(16),
          salt,
          secret.subarray(0, 16),
          numbers(20),
          secret.subarray(16),
        ])
  return { header, keys }
}

/** A document of Word 97 in the encryption of its time: [MS-DOC] 2.2.6. */
export function protectedDoc(document: Buffer, kind: Rc4Kind, password: string): Buffer {
  const { header, keys } = rc4Of(kind, password)
  const file = new CompoundFile(document)
  const main = Buffer.from(file.stream('WordDocument') ?? '')
  const flags = main.readUInt16LE(10)
  const tableName = flags & 0x200 ? '1Table' : '0Table'
  const table = Buffer.concat([header, file.stream(tableName) ?? Buffer.alloc(0)])
  // Offsets in the table stream shift by the header.
  for (let pair = 0, at = 154; pair < main.readUInt16LE(152); pair++, at += 8)
    if (main.readUInt32LE(at + 4) > 0) main.writeUInt32LE(main.readUInt32LE(at) + header.length, at)
  main.writeUInt16LE(flags | 0x100, 10)
  main.writeUInt32LE(header.length, 14)
  const encrypted = (content: Buffer, plain: number) => {
    const bytes = Buffer.concat([content], Math.max(content.length, 4096))
    const start = Buffer.from(bytes.subarray(0, plain))
    decryptBlocks(keys, bytes, 512)
    start.copy(bytes)
    return bytes
  }
  return compound({ WordDocument: encrypted(main, 68), [tableName]: encrypted(table, header.length) })
}

/** A workbook of Excel 97 with a text in each row, encrypted: [MS-XLS] 2.2.10. */
export function protectedXls(texts: readonly string[], kind: Rc4Kind, password: string): Buffer {
  const { header, keys } = rc4Of(kind, password)
  const shorts = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer)
  const record = (type: number, ...parts: Buffer[]) => {
    const content = Buffer.concat(parts)
    return Buffer.concat([shorts(type, content.length), content])
  }
  const begin = (kindOfStream: number) =>
    record(0x809, shorts(0x600, kindOfStream, 0x0dbb, 0x07cc), numbers(0, 6))
  const name = Buffer.from('Sheet')
  const pass = record(0x2f, shorts(1), header)
  const end = record(0xa)
  const start = begin(5).length + pass.length + 4 + 8 + name.length + end.length
  const rows = texts.map((text, row) =>
    record(0x204, shorts(row, 0, 0, text.length), Buffer.from([0]), Buffer.from(text, 'latin1')),
  )
  const sheet = record(0x85, numbers(start), Buffer.from([0, 0, name.length, 0]), name)
  const dimensions = record(0x200, numbers(0, texts.length), shorts(0, 1, 0))
  const records = [begin(5), pass, sheet, end, begin(0x10), dimensions, ...rows, end]
  // After the records there is room for empty ones of four bytes.
  const plain = Buffer.concat(records, Buffer.concat(records).length + 4096)
  const stream = Buffer.from(plain)
  decryptBlocks(keys, stream, 1024)
  let at = 0
  for (const bytes of records) {
    const type = bytes.readUInt16LE(0)
    const kept = type === 0x809 || type === 0x2f ? bytes.length : type === 0x85 ? 8 : 4
    bytes.copy(stream, at, 0, kept)
    at += bytes.length
  }
  plain.copy(stream, at, at)
  return compound({ Workbook: stream })
}

/** A package protected by a password: agile encryption of [MS-OFFCRYPTO], AES-256 and SHA-512. */
export function encrypted(content: Buffer, password: string): Buffer {
  const hash = (...parts: Buffer[]) => createHash('sha512').update(Buffer.concat(parts)).digest()
  const number = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value)
    return bytes
  }
  const encrypt = (key: Buffer, iv: Buffer, data: Buffer) => {
    const engine = createCipheriv('aes-256-cbc', key, iv).setAutoPadding(false)
    return Buffer.concat([
      engine.update(Buffer.concat([data], Math.ceil(data.length / 16) * 16)),
      engine.final(),
    ])
  }
  const [salt, keySalt, key, verifier] = [randomBytes(16), randomBytes(16), randomBytes(32), randomBytes(16)]
  const spins = 1000
  let spun = hash(salt, Buffer.from(password, 'utf16le'))
  for (let i = 0; i < spins; i++) spun = hash(number(i), spun)
  const wrap = (block: string, data: Buffer) =>
    encrypt(hash(spun, Buffer.from(block, 'hex')).subarray(0, 32), salt, data).toString('base64')
  const parameters = (value: Buffer) =>
    `saltSize="16" blockSize="16" keyBits="256" hashSize="64" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="SHA512" saltValue="${value.toString('base64')}"`
  const integrity = Buffer.alloc(64).toString('base64')
  const xml = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><encryption xmlns="http://schemas.microsoft.com/office/2006/encryption" xmlns:p="http://schemas.microsoft.com/office/2006/keyEncryptor/password"><keyData ${parameters(keySalt)}/><dataIntegrity encryptedHmacKey="${integrity}" encryptedHmacValue="${integrity}"/><keyEncryptors><keyEncryptor uri="http://schemas.microsoft.com/office/2006/keyEncryptor/password"><p:encryptedKey spinCount="${spins}" ${parameters(salt)} encryptedVerifierHashInput="${wrap('fea7d2763b4b9e79', verifier)}" encryptedVerifierHashValue="${wrap('d7aa0f6d3061344e', hash(verifier))}" encryptedKeyValue="${wrap('146e0be7abacd0d6', key)}"/></keyEncryptor></keyEncryptors></encryption>`
  const segments: Buffer[] = []
  for (let at = 0; at < content.length; at += 4096)
    segments.push(
      encrypt(key, hash(keySalt, number(at / 4096)).subarray(0, 16), content.subarray(at, at + 4096)),
    )
  const info = Buffer.concat([Buffer.from([4, 0, 4, 0, 0x40, 0, 0, 0]), Buffer.from(xml.padEnd(CUTOFF))])
  return encryptedStreams(info, content.length, Buffer.concat(segments))
}

/** The container of an encrypted package. */
export function encryptedStreams(info: Buffer, contentBytes: number, content: Buffer): Buffer {
  const size = Buffer.alloc(8)
  size.writeBigUInt64LE(BigInt(contentBytes))
  const body = Buffer.concat([size, content])
  return compound({
    EncryptionInfo: Buffer.concat([info], Math.max(info.length, CUTOFF)),
    EncryptedPackage: Buffer.concat([body], Math.max(body.length, CUTOFF + 8)),
  })
}
