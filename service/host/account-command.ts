import { parseArgs } from 'node:util'
import { Accounts } from '../accounts/accounts.ts'
import { AccountRefused, Administration } from '../accounts/administration.ts'
import { type Config, SettingError } from '../shared/config.ts'
import { MOST, readWhole } from '../shared/settings/values.ts'
import type { AccountLimits } from '../store/interfaces/accounts.ts'
import { openAccounts } from '../store/open.ts'
import { signInUrl } from '../web/http/sign-in-url.ts'
import { QUEUE_LIMITS } from './core.ts'
import { type ManagedAccounts, runningAccounts } from './running-accounts.ts'
import { ACCOUNT_USAGE } from './usage.ts'

/** The arguments and flags of the command line. */
interface AccountCommand {
  verb: string
  /** Name or id of the account. */
  name: string
  home?: string | undefined
  credits?: number | undefined
  limits: Partial<AccountLimits>
}

/**
 * `account create|list|limit|link|close`: the accounts of a service, for whoever operates it.
 * @param print called with each line for standard output; a new account's key is one of its own
 * @throws SettingError for wrong arguments; DatabaseInUse if a service without a shared database is running
 */
export async function runAccount(
  args: readonly string[],
  settings: Config,
  print: (line: string) => void,
): Promise<void> {
  const parsed = readArguments(args)
  const config = { ...settings, home: parsed.home ?? settings.home }
  const onError = (error: unknown) => void process.stderr.write(`${String(error)}\n`)
  // A database in the data folder is its alone.
  const running = config.databaseUrl === null ? await runningAccounts(config.home) : undefined
  if (running) return (await linesOf(running, parsed)).forEach(print)
  await using stores = await openAccounts(config, QUEUE_LIMITS, onError)
  // The first account is the owner's, whoever comes first.
  await new Accounts(stores.accounts, config).owner()
  const administration = new Administration(stores.accounts, QUEUE_LIMITS, config.freeCredits)
  try {
    for (const line of await linesOf(storedAccounts(administration, config), parsed)) print(line)
  } catch (error) {
    throw error instanceof AccountRefused ? new SettingError(error.message) : error
  }
}

const storedAccounts = (administration: Administration, { publicUrl, port }: Config): ManagedAccounts => ({
  list: () => administration.list(),
  create: (name, change) => administration.create(name, change),
  change: (name, change) => administration.change(name, change),
  close: name => administration.close(name),
  link: async name =>
    signInUrl(publicUrl ?? `http://127.0.0.1:${port}`, (await administration.signIn(name)).token),
})

/** Does what the arguments ask for. @returns each account as a line of JSON, like everything that the service prints */
async function linesOf(
  accounts: ManagedAccounts,
  { verb, name, ...change }: AccountCommand,
): Promise<string[]> {
  if (verb === 'list') return (await accounts.list()).map(account => JSON.stringify(account))
  if (verb === 'limit') return [JSON.stringify(await accounts.change(name, change))]
  if (verb === 'link') return [await accounts.link(name)]
  if (verb === 'close') return [JSON.stringify(await accounts.close(name))]
  const { account, key } = await accounts.create(name, change)
  return [JSON.stringify(account), key]
}

/** @throws SettingError for unknown arguments and flags, and for values that are no numbers */
function readArguments(args: readonly string[]): AccountCommand {
  const text = { type: 'string' } as const
  const options = { home: text, credits: text, running: text, open: text }
  const { values, positionals } = parsed(() =>
    parseArgs({ args: [...args], options, allowPositionals: true }),
  )
  const [verb = '', name = '', ...rest] = positionals
  const isKnown =
    verb === 'list' ? name === '' : ['create', 'limit', 'link', 'close'].includes(verb) && name.trim() !== ''
  if (!isKnown || rest.length > 0) throw new SettingError(ACCOUNT_USAGE)
  const { home, credits, running, open } = values
  const limits = {
    ...(running === undefined ? {} : { running: readWhole('--running', running, 1, MOST) }),
    ...(open === undefined ? {} : { open: readWhole('--open', open, 1, MOST) }),
  }
  return {
    verb,
    name,
    home,
    credits: credits === undefined ? undefined : readWhole('--credits', credits, 0, MOST),
    limits,
  }
}

function parsed<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new SettingError(`${error instanceof Error ? error.message : String(error)} ${ACCOUNT_USAGE}`)
  }
}
