/** What `--help` prints of the service's commands, and refusals of unknown arguments name. */

export const OPTIONS = '--port N, --home DIR, --role all|api|worker, --print-key and --open'

export const ACCOUNT_USAGE =
  'There are: account create NAME [--credits N] [--running N] [--open N], account list, account limit NAME [--running N] [--open N] [--credits N], account link NAME, and account close NAME; each takes --home DIR.'

const MIGRATE_USAGE =
  'Copies a data folder to PostgreSQL: migrate --to postgres://user:password@host/database [--blobs FOLDER|s3://BUCKET] [--home DIR].'

/** The answer to `--help` among the arguments of a command line, or undefined if nobody asks for it. */
export function helpOf(args: readonly string[]): string | undefined {
  if (!args.some(word => word === '--help' || word === '-h')) return undefined
  if (args[0] === 'migrate') return MIGRATE_USAGE
  if (args[0] === 'account') return ACCOUNT_USAGE
  return `Runs the service until it is stopped. Options are ${OPTIONS}. Settings are environment variables: docs/settings.md.`
}
