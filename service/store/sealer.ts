import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '../shared/placing/durable.ts'
import type { Secrets } from './interfaces/secrets.ts'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts what may contain a secret, such as the password of a document, before it is stored. AES-256-GCM. */
export class Encrypter implements Secrets {
  readonly #key: KeyObject

  /** @param key 32 random bytes */
  constructor(key: Buffer = randomBytes(KEY_BYTES)) {
    // One that is made once takes a quarter of the time.
    this.#key = createSecretKey(key)
  }

  /** Encrypts a JSON value: nonce, tag and ciphertext in Base64. */
  encrypt(value: object): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#key, nonce)
    const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64')
  }

  /** Decrypts a value of the database, which is empty where its key was lost: then it is plain JSON. */
  decryptStored(sealed: string): Record<string, unknown> {
    return sealed.startsWith('{') ? {} : this.decrypt(sealed)
  }

  /**
   * Decrypts the value.
   * @throws if the text was changed, or not sealed with this key
   */
  decrypt(sealed: string): Record<string, unknown> {
    const bytes = Buffer.from(sealed, 'base64')
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, NONCE_BYTES))
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
    return JSON.parse(text.toString('utf8'))
  }

  /** Whether a text was sealed with this key. */
  opens(sealed: string): boolean {
    try {
      return this.decrypt(sealed) !== undefined
    } catch {
      return false
    }
  }
}

/** The key of a data folder cannot be used; says why, and what to do. */
export class SecretsKeyError extends Error {
  constructor(problem: string, options?: ErrorOptions) {
    super(
      `${problem} Put back the secrets.key that belongs to this data folder. If it is lost, remove the file: Refile then starts with a new one, without the options of earlier conversions and the addresses of webhooks.`,
      options,
    )
  }
}

const keyFile = (home: string) => join(home, 'secrets.key')

/**
 * The encrypter of a data folder, whose key is a file beside the database that only the owner can read.
 * @returns undefined if there is none yet
 * @throws SecretsKeyError if the file exists but cannot be read or is not a key. It is never replaced: a new one would make
 * everything sealed unreadable
 */
export async function knownEncrypter(home: string): Promise<Encrypter | undefined> {
  const key = await readFile(keyFile(home)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0)
    throw new SecretsKeyError(`The file secrets.key of the data folder cannot be read (${error.code}).`, {
      cause: error,
    })
  })
  if (key.length === 0) return undefined
  if (key.length === KEY_BYTES) return new Encrypter(key)
  throw new SecretsKeyError('The file secrets.key of the data folder is damaged.')
}

/** Creates a new key for a data folder, and its encrypter. */
export async function newEncrypter(home: string): Promise<Encrypter> {
  const key = randomBytes(KEY_BYTES)
  await writeDurably(keyFile(home), key)
  return new Encrypter(key)
}
