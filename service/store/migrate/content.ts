import { createHash } from 'node:crypto'
import type { Value } from '../sql/sql.ts'

const SUM_BITS = 256

/**
 * A checksum of a table's content: the sum of the SHA-256 of its rows, which does not depend on the order in which they are
 * read (Bellare and Micciancio, "A New Paradigm for Collision-free Hashing", 1997: AdHash).
 */
export class Content {
  rows = 0
  #sum = 0n

  /** @param values of all columns, always in the same order */
  add(values: readonly Value[]): void {
    const text = JSON.stringify(
      values.map(value =>
        value instanceof Uint8Array ? { hex: Buffer.from(value).toString('hex') } : value,
      ),
    )
    this.rows++
    this.#sum = BigInt.asUintN(
      SUM_BITS,
      this.#sum + BigInt(`0x${createHash('sha256').update(text).digest('hex')}`),
    )
  }

  equals(other: Content): boolean {
    return this.rows === other.rows && this.#sum === other.#sum
  }
}
