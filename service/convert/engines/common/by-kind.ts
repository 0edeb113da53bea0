interface Kind {
  kind: string
}

/** What is done with the parts of a union, by their kind. */
export type ByKind<Part extends Kind, Result, Given extends unknown[] = []> = {
  readonly [Each in Part['kind']]: (part: Part & { kind: Each }, ...given: Given) => Result
}

/** Does with a part what a table has for its kind. */
export const byKind = <Part extends Kind, Result, Given extends unknown[]>(
  table: ByKind<Part, Result, Given>,
  part: Part,
  ...given: Given
): Result => (table[part.kind as Part['kind']] as (part: Part, ...given: Given) => Result)(part, ...given)
