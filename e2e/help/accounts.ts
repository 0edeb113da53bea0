import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Kinds of accounts that a test can have to itself, and how many of each a data folder has. */
export const kinds = {
  /** Tops itself up, and is one and the same in all tests of a service. */
  owner: { count: 10, credits: 500 },
  usual: { count: 75, credits: 500 },
  poor: { count: 5, credits: 5 },
  /** Converts one file at a time. */
  patient: { count: 5, credits: 500, running: 1 },
  /** Is signed in by a link, as in a team. */
  member: { count: 5, credits: 500, isMember: true },
}

export type Kind = keyof typeof kinds

/** An account with nothing in it. */
export interface Account {
  apiKey: string
  /** Signs a browser in, once. */
  token: string
}

/** Where a data folder has its accounts. */
export const listIn = (home: string): string => join(home, 'accounts.json')

/** The accounts of a data folder. */
export const accountsOf = async (home: string): Promise<Record<Kind, Account[]>> =>
  JSON.parse(await readFile(listIn(home), 'utf8'))
