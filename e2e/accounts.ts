import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Accounts } from '../service/accounts/accounts.ts'
import { ApiKeys } from '../service/accounts/keys.ts'
import { Sessions } from '../service/accounts/sessions.ts'
import { QUEUE_LIMITS } from '../service/host/core.ts'
import { openAccounts } from '../service/store/open.ts'

/** Kinds of accounts that a test can have to itself, and how many of each a data folder has. */
const kinds = {
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

/** How long a link may wait for its test. */
const LINK_AHEAD_MS = 12 * 3600_000

const listIn = (home: string) => join(home, 'accounts.json')

/** Creates a data folder of a service, with accounts for many tests, since a service keeps the database to itself. */
export async function makeAccounts(home: string): Promise<void> {
  await using stores = await openAccounts({ home, databaseUrl: null }, QUEUE_LIMITS, error => {
    throw error
  })
  const { accounts } = stores
  const owner = await new Accounts(accounts, { freeCredits: kinds.owner.credits }).owner()
  const keys = new ApiKeys(accounts)
  const sessions = new Sessions(accounts)
  const make = async (kind: Kind): Promise<Account> => {
    const { credits, ...others } = kinds[kind]
    const { id } = kind === 'owner' ? owner : await accounts.create({ name: 'Person', credits })
    if ('running' in others) await accounts.setLimits(id, others)
    const { secret } = await keys.create(id, { name: 'Printed at start' })
    const link =
      'isMember' in others ? sessions.signInLink(id, LINK_AHEAD_MS) : sessions.openingLink(id, LINK_AHEAD_MS)
    return { apiKey: secret, token: await link }
  }
  const made: Partial<Record<Kind, Account[]>> = {}
  for (const kind of Object.keys(kinds) as Kind[])
    made[kind] = await Promise.all(Array.from({ length: kinds[kind].count }, () => make(kind)))
  await writeFile(listIn(home), JSON.stringify(made))
}

/** The accounts of a data folder. */
export const accountsOf = async (home: string): Promise<Record<Kind, Account[]>> =>
  JSON.parse(await readFile(listIn(home), 'utf8'))
