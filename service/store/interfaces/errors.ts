/** The blob does not exist, or no longer exists. */
export class BlobGone extends Error {
  constructor(key: string, options?: ErrorOptions) {
    super(`There is no blob ${key}.`, options)
    this.name = 'BlobGone'
  }
}

/** For a promise's `catch`: undefined if the blob does not exist. */
export function orGone(error: unknown): undefined {
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

/** The answer to the last step was lost: the operation may have succeeded anyway. */
export class OutcomeUnknown extends StoreUnavailable {
  constructor(what: string, options?: ErrorOptions) {
    super(what, options)
    this.name = 'OutcomeUnknown'
  }
}
