import type { Document } from '../model.ts'

/** The numbers of notes by their keys. */
export const numbersOf = (notes: Document['notes']): ReadonlyMap<string, number> =>
  new Map([...notes.keys()].map((key, index) => [key, index + 1]))
