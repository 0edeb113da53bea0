/**
 * Creates the data folder that is given, with accounts for many tests, since a service keeps the database to itself. A program of its
 * own: Node reads the parts of the service in it as they are, which Playwright would translate for each of its processes.
 */
import { writeFile } from 'node:fs/promises'
import { Accounts } from '../../service/accounts/accounts.ts'
import { ApiKeys } from '../../service/accounts/keys.ts'
import { Sessions } from '../../service/accounts/sessions.ts'
import { QUEUE_LIMITS } from '../../service/host/core.ts'
import { openAccounts } from '../../service/store/open.ts'
import { type Account, type Kind, kinds, listIn } from './accounts.ts'

/** How long a link may wait for its test. */
const LINK_AHEAD_MS = 12 * 3600_000

const [home] = process.argv.slice(2)
if (home === undefined) throw new Error('The data folder is missing.')
await makeAccounts(home)

async function makeAccounts(home: string): Promise<void> {
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
