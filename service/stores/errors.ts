/** There is no such blob, or not any more. */
export class BlobGone extends Error {
  constructor(key: string, options?: ErrorOptions) {
    super(`There is no blob ${key}.`, options)
    this.name = 'BlobGone'
  }
}

/** For a promise's `catch`: undefined when there is no such blob. */
export function orGone(error: unknown): undefined {
  if (error instanceof BlobGone) return undefined
  throw error
}

/** A store cannot be reached, or does not answer as it should. The same may be asked again later. */
export class StoreUnavailable extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(what, options)
    this.name = 'StoreUnavailable'
  }
}

/** The answer to the last step was lost: what was asked may have been done all the same. */
export class OutcomeUnknown extends StoreUnavailable {
  constructor(what: string, options?: ErrorOptions) {
    super(what, options)
    this.name = 'OutcomeUnknown'
  }
}
