/** Opens password-protected Office files: [MS-OFFCRYPTO], standard and agile encryption. */
import { createDecipheriv, createHash, timingSafeEqual } from 'node:crypto'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { DamagedFile } from '../../common/damage.ts'
import type { CompoundFile } from './compound.ts'

/** Maximum number of hash iterations that the format allows. */
const SPIN_LIMIT = 10_000_000
/** Hash iterations of the standard encryption. */
const STANDARD_SPINS = 50_000
/** Agile files are encrypted in separate parts of this size. */
const SEGMENT_BYTES = 4096

const BLOCK_KEYS = {
  verifierInput: Buffer.from('fea7d2763b4b9e79', 'hex'),
  verifierValue: Buffer.from('d7aa0f6d3061344e', 'hex'),
  key: Buffer.from('146e0be7abacd0d6', 'hex'),
}

/** Excel encrypts workbooks that are only write-protected with this password; everybody may open them. */
const DEFAULT_PASSWORD = 'VelvetSweatshop'

const unsupported = () => new JobFailure('jobs.encrypted_input', message('office.protected_otherwise'))

/**
 * The Office file inside an encrypted one.
 * @throws DamagedFile if it is damaged; JobFailure encrypted_input if the password does not open it
 */
export function openProtected(file: CompoundFile, password: string | undefined): Buffer {
  // Without it, the file is protected by a server's rights management.
  if (!file.has('EncryptionInfo')) throw unsupported()
  const info = file.stream('EncryptionInfo')
  const encrypted = file.stream('EncryptedPackage')
  if (!info || !encrypted || encrypted.length < 8) throw new DamagedFile('a part is missing')
  const [major, minor] = [info.readUInt16LE(0), info.readUInt16LE(2)]
  const bytes = encrypted.readBigUInt64LE(0)
  const content = encrypted.subarray(8)
  if (bytes > BigInt(content.length)) throw new DamagedFile('the content is cut off')
  const isAgile = major === 4 && minor === 4
  if (!isAgile && !(minor === 2 && major >= 2 && major <= 4)) throw unsupported()
  const given = password || DEFAULT_PASSWORD
  const opened = isAgile
    ? openAgile(info.toString('utf8', 8), content, given)
    : openStandard(info, content, given)
  if (!opened)
    throw new JobFailure(
      'jobs.encrypted_input',
      message(password ? 'office.wrong_password' : 'office.password_needed'),
    )
  return opened.subarray(0, Number(bytes))
}

const utf16 = (text: string) => Buffer.from(text, 'utf16le')

const number32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

const hashOf = (algorithm: string, ...parts: Uint8Array[]) => {
  const hash = createHash(algorithm)
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** The password, hashed many times so that guessing takes long. */
function spin(algorithm: string, salt: Buffer, password: string, count: number): Buffer {
  let hash = hashOf(algorithm, salt, utf16(password))
  const round = Buffer.alloc(4)
  for (let i = 0; i < count; i++) {
    round.writeUInt32LE(i)
    hash = hashOf(algorithm, round, hash)
  }
  return hash
}

function decipher(mode: 'cbc' | 'ecb', key: Buffer, iv: Buffer | null, data: Buffer): Buffer {
  const engine = createDecipheriv(`aes-${key.length * 8}-${mode}`, key, iv).setAutoPadding(false)
  return Buffer.concat([engine.update(data), engine.final()])
}

/** Whole AES blocks; anything after them is ignored. */
const blocks = (data: Buffer) => data.subarray(0, data.length - (data.length % 16))

const AES_KEY_BITS = new Set([128, 192, 256])

/** ECMA-376 document encryption, [MS-OFFCRYPTO] 2.3.4.5 to 2.3.4.9: AES in ECB mode, SHA-1. @returns undefined if the password is wrong */
function openStandard(info: Buffer, content: Buffer, password: string): Buffer | undefined {
  const headerBytes = info.readUInt32LE(8)
  const keyBits = info.readUInt32LE(12 + 16)
  if (!AES_KEY_BITS.has(keyBits)) throw unsupported()
  const verifier = info.subarray(12 + headerBytes)
  const salt = verifier.subarray(4, 20)
  const hash = hashOf('sha1', spin('sha1', salt, password, STANDARD_SPINS), number32(0))
  const half = (fill: number) => {
    const block = Buffer.alloc(64, fill)
    for (const [index, byte] of hash.entries()) block[index]! ^= byte
    return hashOf('sha1', block)
  }
  const key = Buffer.concat([half(0x36), half(0x5c)]).subarray(0, keyBits / 8)
  const input = decipher('ecb', key, null, verifier.subarray(20, 36))
  const value = decipher('ecb', key, null, verifier.subarray(40, 72))
  if (!timingSafeEqual(hashOf('sha1', input), value.subarray(0, 20))) return undefined
  return decipher('ecb', key, null, blocks(content))
}

/** Agile encryption, [MS-OFFCRYPTO] 2.3.4.10 to 2.3.4.15: AES in CBC mode, parameters in XML. @returns undefined if the password is wrong */
function openAgile(xml: string, content: Buffer, password: string): Buffer | undefined {
  const keyData = attributesOf(xml, 'keyData')
  const encryptedKey = attributesOf(xml, 'encryptedKey')
  if (!keyData || !encryptedKey) throw unsupported()
  const spins = Number(encryptedKey.get('spinCount'))
  const keyBits = Number(encryptedKey.get('keyBits'))
  const [algorithm, contentAlgorithm] = [hashName(encryptedKey), hashName(keyData)]
  const isKnown =
    algorithm && contentAlgorithm && spins >= 0 && spins <= SPIN_LIMIT && AES_KEY_BITS.has(keyBits)
  const isCbc = [keyData, encryptedKey].every(
    data => data.get('cipherAlgorithm') === 'AES' && data.get('cipherChaining') === 'ChainingModeCBC',
  )
  if (!isKnown || !isCbc) throw unsupported()

  const salt = base64(encryptedKey, 'saltValue')
  const iv = fit(salt, 16)
  const hash = spin(algorithm, salt, password, spins)
  const open = (blockKey: Buffer, name: string) =>
    decipher('cbc', fit(hashOf(algorithm, hash, blockKey), keyBits / 8), iv, base64(encryptedKey, name))
  const input = open(BLOCK_KEYS.verifierInput, 'encryptedVerifierHashInput')
  const value = open(BLOCK_KEYS.verifierValue, 'encryptedVerifierHashValue')
  const expected = hashOf(algorithm, input.subarray(0, Number(encryptedKey.get('saltSize')) || 16))
  if (value.length < expected.length || !timingSafeEqual(expected, value.subarray(0, expected.length)))
    return undefined

  const key = open(BLOCK_KEYS.key, 'encryptedKeyValue').subarray(0, keyBits / 8)
  const contentSalt = base64(keyData, 'saltValue')
  const whole = blocks(content)
  const parts: Buffer[] = []
  for (let at = 0; at < whole.length; at += SEGMENT_BYTES) {
    const segmentIv = fit(hashOf(contentAlgorithm, contentSalt, number32(at / SEGMENT_BYTES)), 16)
    parts.push(decipher('cbc', key, segmentIv, whole.subarray(at, at + SEGMENT_BYTES)))
  }
  return Buffer.concat(parts)
}

/** Attributes of the first element of this name, whatever its prefix. */
function attributesOf(xml: string, element: string): Map<string, string> | undefined {
  const tag = new RegExp(`<(?:\\w+:)?${element}\\s([^>]*)>`).exec(xml)?.[1]
  if (tag === undefined) return undefined
  return new Map([...tag.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, name, value]) => [name ?? '', value ?? '']))
}

const HASHES = new Map([
  ['SHA1', 'sha1'],
  ['SHA-1', 'sha1'],
  ['SHA256', 'sha256'],
  ['SHA384', 'sha384'],
  ['SHA512', 'sha512'],
])

const hashName = (data: Map<string, string>) => HASHES.get(data.get('hashAlgorithm') ?? '')

const base64 = (data: Map<string, string>, name: string) => Buffer.from(data.get(name) ?? '', 'base64')

/** Truncated to a length, or padded as the format specifies. */
const fit = (bytes: Buffer, length: number) =>
  bytes.length >= length
    ? bytes.subarray(0, length)
    : Buffer.concat([bytes, Buffer.alloc(length - bytes.length, 0x36)])
