/**
 * Office files protected with passwords; another program confirms that it can read them.
 */
import { createCipheriv, createHash, randomBytes } from 'node:crypto'
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

/** FilePass, [MS-XLS] 2.4.117, which says that the records after it are encrypted with RC4. */
const FILE_PASS = Buffer.concat([Buffer.from([0x2f, 0, 54, 0, 1, 0, 1, 0, 1, 0]), Buffer.alloc(48)])

/** A workbook of Excel 97 with a text in each row; it may say that it is encrypted: [MS-XLS] 2.1.7.20. */
export function xls(texts: readonly string[], { isProtected = false } = {}): Buffer {
  const shorts = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer)
  const record = (type: number, ...parts: Buffer[]) => {
    const content = Buffer.concat(parts)
    return Buffer.concat([shorts(type, content.length), content])
  }
  const begin = (kindOfStream: number) =>
    record(0x809, shorts(0x600, kindOfStream, 0x0dbb, 0x07cc), numbers(0, 6))
  const name = Buffer.from('Sheet')
  const pass = isProtected ? FILE_PASS : Buffer.alloc(0)
  const end = record(0xa)
  const start = begin(5).length + pass.length + 4 + 8 + name.length + end.length
  const rows = texts.map((text, row) =>
    record(0x204, shorts(row, 0, 0, text.length), Buffer.from([0]), Buffer.from(text, 'latin1')),
  )
  const sheet = record(0x85, numbers(start), Buffer.from([0, 0, name.length, 0]), name)
  const dimensions = record(0x200, numbers(0, texts.length), shorts(0, 1, 0))
  const records = Buffer.concat([begin(5), pass, sheet, end, begin(0x10), dimensions, ...rows, end])
  // After the records there is room for empty ones of four bytes.
  return compound({ Workbook: Buffer.concat([records], records.length + CUTOFF) })
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
