interface Kind {
  kind: string
}

/** What is done with the parts of a union, by their kind. */
export type ByKind<Part extends Kind, Result> = {
  readonly [Each in Part['kind']]: (part: Part & { kind: Each }) => Result
}

/** Does with a part what a table has for its kind. */
export const byKind = <Part extends Kind, Result>(table: ByKind<Part, Result>, part: Part): Result =>
  (table[part.kind as Part['kind']] as (part: Part) => Result)(part)
