/** RC4, which encrypts the older Office formats and which current OpenSSL no longer provides. */
import { createHash } from 'node:crypto'

/** Applies RC4 to bytes in place; encryption and decryption are the same operation. */
export function applyRc4(key: Uint8Array, bytes: Uint8Array): void {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index)
  const swap = (a: number, b: number) => {
    const kept = state[a]!
    state[a] = state[b]!
    state[b] = kept
  }
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 0xff
    swap(i, j)
  }
  for (let at = 0, i = 0, j = 0; at < bytes.length; at++) {
    i = (i + 1) & 0xff
    j = (j + state[i]!) & 0xff
    swap(i, j)
    bytes[at]! ^= state[(state[i]! + state[j]!) & 0xff]!
  }
}

/** Returns the key of a block of a file. */
export type BlockKeys = (block: number) => Buffer

const digest = (algorithm: 'md5' | 'sha1', ...parts: Uint8Array[]) =>
  createHash(algorithm).update(Buffer.concat(parts)).digest()

const blockBytes = (block: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(block)
  return bytes
}

/** Keys of the encryption of Office 97, [MS-OFFCRYPTO] 2.3.6.2, with an effective strength of 40 bits. */
export function office97Keys(password: string, salt: Uint8Array): BlockKeys {
  const word = digest('md5', Buffer.from(password, 'utf16le')).subarray(0, 5)
  const salted = digest('md5', ...Array.from({ length: 16 }, () => [word, salt]).flat()).subarray(0, 5)
  return block => digest('md5', salted, blockBytes(block))
}

/** Keys of the encryption of Office 2002 (CryptoAPI), [MS-OFFCRYPTO] 2.3.5.2. */
export function cryptoApiKeys(password: string, salt: Uint8Array, bits: number): BlockKeys {
  const word = digest('sha1', salt, Buffer.from(password, 'utf16le'))
  return block => {
    const key = digest('sha1', word, blockBytes(block)).subarray(0, bits / 8)
    // 40-bit keys are padded with zeros to 128 bits.
    return bits === 40 ? Buffer.concat([key, Buffer.alloc(11)]) : key
  }
}

/** Decrypts a stream in place; each block has its own key. */
export function decryptBlocks(keys: BlockKeys, stream: Buffer, bytes: number): void {
  for (let at = 0; at < stream.length; at += bytes)
    applyRc4(keys(at / bytes), stream.subarray(at, at + bytes))
}
