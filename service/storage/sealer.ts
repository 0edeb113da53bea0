import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '../stores/durable.ts'
import type { Secrets } from '../stores/secrets.ts'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts what may hold a secret, such as the password of a document, before it is stored. AES-256-GCM. */
export class Sealer implements Secrets {
  readonly #key: Buffer

  /** @param key 32 random bytes */
  constructor(key: Buffer = randomBytes(KEY_BYTES)) {
    this.#key = key
  }

  /** A JSON value as encrypted text: nonce, tag and ciphertext in Base64. */
  seal(value: object): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#key, nonce)
    const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64')
  }

  /**
   * The value again. JSON that an earlier version stored as it is stays readable.
   * @throws when the text was changed, or sealed with another key
   */
  open(sealed: string): Record<string, unknown> {
    if (sealed.startsWith('{')) return JSON.parse(sealed)
    const bytes = Buffer.from(sealed, 'base64')
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, NONCE_BYTES))
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
    return JSON.parse(text.toString('utf8'))
  }
}

/**
 * The sealer of a data folder. Its key is a file beside the database, made at the first start, which only the owner can read.
 * @throws when there is such a file and it cannot be read or is no key: a new one would make everything sealed unreadable
 */
export async function openSealer(home: string): Promise<Sealer> {
  const path = join(home, 'secrets.key')
  const known = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (known?.length === KEY_BYTES) return new Sealer(known)
  if (known && known.length > 0) throw new Error('The file secrets.key of the data folder is damaged.')
  const key = randomBytes(KEY_BYTES)
  await writeDurably(path, key)
  return new Sealer(key)
}
