import { type Message, message } from '../../shared/messages/message.ts'

/** The blob does not exist, or no longer exists. */
export class BlobGone extends Error {
  constructor(key: string, options?: ErrorOptions) {
    super(`There is no blob ${key}.`, options)
    this.name = 'BlobGone'
  }
}

/** For a promise's `catch`: undefined if the blob does not exist. */
export function undefinedIfGone(error: unknown): undefined {
  if (error instanceof BlobGone) return undefined
  throw error
}

/** A store cannot be reached, or does not answer correctly. The operation may be repeated later. */
export class StoreUnavailable extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(what, options)
    this.name = 'StoreUnavailable'
  }
}

/**
 * The disk could not keep a file. Systems may drop what they could not write and report that only once, so the next sync of the same
 * file proves nothing: its content must be made again.
 */
export class ContentLost extends StoreUnavailable {
  constructor(options?: ErrorOptions) {
    super('The disk could not keep a file.', options)
    this.name = 'ContentLost'
  }
}

/** A store refuses, and will until somebody changes rights or settings: repeating the operation is no use. */
export class StoreRefused extends Error {
  /** Its own error code, such as `AccessDenied`. */
  readonly code: string

  constructor(code: string, options?: ErrorOptions) {
    super(`The store refused what it was asked (${code}).`, options)
    this.name = 'StoreRefused'
    this.code = code
  }
}

/** A store has no room left, or no more for us. Its code is the one that disks have for the same. */
export class StoreFull extends Error {
  readonly code = 'EDQUOT'

  constructor(code: string, options?: ErrorOptions) {
    super(`The store has no room left (${code}).`, options)
    this.name = 'StoreFull'
  }
}

/** The answer to the last step was lost: the operation may have succeeded anyway. */
export class OutcomeUnknown extends StoreUnavailable {
  constructor(what: string, options?: ErrorOptions) {
    super(what, options)
    this.name = 'OutcomeUnknown'
  }
}

/**
 * What to do about an error of a store or a disk: wait and try again by oneself (`transient`), wait for somebody to make room
 * (`full`), or give up with the reason until somebody changes rights or settings (`refused`).
 */
export type StoreFault = 'transient' | 'full' | 'refused'

/** Codes of the system and of PostgreSQL. */
const faults: readonly (readonly [StoreFault, RegExp])[] = [
  ['full', /^(ENOSPC|EDQUOT|EFBIG|53100)$/],
  ['refused', /^(EACCES|EPERM|EROFS|28...|42501)$/],
  [
    'transient',
    /^(EIO|ESTALE|ETIMEDOUT|ENOTCONN|ENODEV|ENXIO|EHOSTDOWN|EHOSTUNREACH|EMFILE|ENFILE|EAGAIN|EBUSY|53...|55P03|57014|40...)$/,
  ],
]

/** Primary result codes of SQLite. */
const sqliteFaults: Readonly<Record<number, StoreFault>> = {
  3: 'refused', // SQLITE_PERM
  5: 'transient', // SQLITE_BUSY
  6: 'transient', // SQLITE_LOCKED
  8: 'refused', // SQLITE_READONLY
  10: 'transient', // SQLITE_IOERR
  13: 'full', // SQLITE_FULL
  14: 'transient', // SQLITE_CANTOPEN
}

/** The one policy for errors of stores and disks; undefined for any other error, which no waiting and no person resolves. */
export function storeFault(error: unknown): StoreFault | undefined {
  if (error instanceof StoreUnavailable) return 'transient'
  if (error instanceof StoreRefused) return 'refused'
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  if (code === 'ERR_SQLITE_ERROR') return sqliteFaults[Number(errcode) & 0xff]
  return faults.find(([, codes]) => codes.test(String(code)))?.[0]
}

/** For the `catch` of a write that is only a note, such as when a key was last used: a full disk must not refuse what needs no room. */
export function unlessFault(error: unknown): void {
  if (!storeFault(error)) throw error
}

/** An error as a store reports it: a class where the policy has one, otherwise unchanged. */
export function asStoreError(error: unknown, what: string): unknown {
  if (error instanceof StoreUnavailable || error instanceof StoreRefused) return error
  const fault = storeFault(error)
  if (fault === 'transient') return new StoreUnavailable(what, { cause: error })
  if (fault === 'refused') return new StoreRefused(String((error as { code: string }).code), { cause: error })
  return error
}

/** What people read about a store that refuses. */
export const storageFailed = (error: unknown): Message =>
  message('server.storage_failed', { code: String((error as { code?: unknown } | null)?.code) })
