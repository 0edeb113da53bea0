import { parseArgs } from 'node:util'
import { Accounts } from '../accounts/accounts.ts'
import { ApiKeys } from '../accounts/keys.ts'
import { type Config, SettingError } from '../shared/config.ts'
import type { AccountLimits, AccountStore, ListedAccount } from '../store/interfaces/accounts.ts'
import { openAccounts } from '../store/open.ts'
import { QUEUE_LIMITS } from './core.ts'

const USAGE =
  'There are: account create NAME [--credits N] [--running N] [--open N], account list, account limit NAME [--running N] [--open N], and account close NAME; each takes --home DIR.'

/** The words and flags of the command line. */
interface Words {
  verb: string
  /** Name or id of the account. */
  name: string
  home?: string | undefined
  credits?: number | undefined
  limits: Partial<AccountLimits>
}

/**
 * `account create|list|limit|close`: the accounts of a service, for whoever operates it.
 * @param print called with each line for standard output; a new account's key is one of its own
 * @throws SettingError for wrong words; DatabaseInUse if a service without a shared database is running
 */
export async function runAccount(
  args: readonly string[],
  settings: Config,
  print: (line: string) => void,
): Promise<void> {
  const words = readWords(args)
  const config = { ...settings, home: words.home ?? settings.home }
  const onError = (error: unknown) => void process.stderr.write(`${String(error)}\n`)
  await using stores = await openAccounts(config, QUEUE_LIMITS, onError)
  const { accounts } = stores
  // The first account is the owner's, whoever comes first.
  const owner = await new Accounts(accounts, config).owner()
  if (words.verb === 'create') return await create(accounts, words, config.freeCredits, print)
  if (words.verb === 'list') {
    for (const account of await accounts.list()) print(lineOf(account))
    return
  }
  const account = find(await accounts.list(), words.name)
  if (words.verb === 'limit') {
    await accounts.setLimits(account.id, words.limits)
    return print(lineOf(find(await accounts.list(), account.id)))
  }
  if (account.id === owner.id) throw new SettingError("The owner's account cannot be closed.")
  await accounts.close(account.id)
  print(`${account.name} is closed: its keys are revoked. Its jobs still finish.`)
}

async function create(
  accounts: AccountStore,
  { name, credits, limits }: Words,
  freeCredits: number,
  print: (line: string) => void,
): Promise<void> {
  if (name.trim() === '') throw new SettingError(`The account needs a name. ${USAGE}`)
  if ((await accounts.list()).some(account => account.closedAt === null && account.name === name))
    throw new SettingError(`There is an account ${name} already.`)
  const { id } = await accounts.create({ name, credits: credits ?? freeCredits })
  await accounts.setLimits(id, limits)
  const { secret } = await new ApiKeys(accounts).create(id, { name: 'First key' })
  print(lineOf(find(await accounts.list(), id)))
  print(secret)
}

/** The account with an id, or the open one with a name. */
function find(accounts: readonly ListedAccount[], name: string): ListedAccount {
  const found = accounts.find(({ id }) => id === name) ?? accounts.find(each => isOpenWith(each, name))
  if (!found) throw new SettingError(`There is no open account ${name}. "account list" lists them.`)
  return found
}

const isOpenWith = (account: ListedAccount, name: string) =>
  account.name === name && account.closedAt === null

/** One account in a line of JSON, like everything that the service prints. */
const lineOf = ({ id, name, balance, limits, createdAt, closedAt }: ListedAccount): string =>
  JSON.stringify({
    id,
    name,
    credits: balance,
    running: limits.running ?? QUEUE_LIMITS.runningPerAccount,
    open: limits.open ?? QUEUE_LIMITS.openPerAccount,
    created: new Date(createdAt).toISOString(),
    ...(closedAt === null ? {} : { closed: new Date(closedAt).toISOString() }),
  })

/** @throws SettingError for unknown words and flags, and for values that are no numbers */
function readWords(args: readonly string[]): Words {
  const text = { type: 'string' } as const
  const options = { home: text, credits: text, running: text, open: text }
  const { values, positionals } = parsed(() =>
    parseArgs({ args: [...args], options, allowPositionals: true }),
  )
  const [verb = '', name = '', ...rest] = positionals
  const isKnown = verb === 'list' ? name === '' : ['create', 'limit', 'close'].includes(verb) && name !== ''
  if (!isKnown || rest.length > 0) throw new SettingError(USAGE)
  const { home, credits, running, open } = values
  const limits = {
    ...(running === undefined ? {} : { running: whole('--running', running, 1) }),
    ...(open === undefined ? {} : { open: whole('--open', open, 1) }),
  }
  return {
    verb,
    name,
    home,
    credits: credits === undefined ? undefined : whole('--credits', credits, 0),
    limits,
  }
}

function parsed<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new SettingError(`${error instanceof Error ? error.message : String(error)} ${USAGE}`)
  }
}

function whole(flag: string, value: string, least: number): number {
  const number = Number(value)
  if (value.trim() !== '' && Number.isSafeInteger(number) && number >= least) return number
  throw new SettingError(`${flag} takes a whole number of ${least} or more.`)
}
