import type { Fragment, Value } from './sql.ts'

/** Conditions of a query, joined with AND; one without a value is left out. */
export class Conditions implements Fragment {
  readonly #parts: string[] = []
  readonly values: Value[] = []

  /** Adds a condition with one `?`. */
  add(condition: string, value: string | number | undefined): this {
    if (value === undefined || value === '') return this
    this.#parts.push(condition)
    this.values.push(value)
    return this
  }

  /** Adds a condition that needs no value. */
  always(condition: string): this {
    this.#parts.push(condition)
    return this
  }

  get text(): string {
    return this.#parts.length > 0 ? this.#parts.join(' AND ') : 'TRUE'
  }
}
