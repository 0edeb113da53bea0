import { parseArgs } from 'node:util'
import { type Config, SettingError } from '../../shared/config.ts'
import { readDatabaseUrl, readPlace } from '../../shared/settings/values.ts'
import { type Migrated, migrate } from './migrate.ts'

/** The arguments of `migrate`. */
export interface MigrateArguments {
  to: string
  home?: string
  blobs?: string
}

/** @throws SettingError if a flag is unknown or lacks its value */
export function readMigrateArguments(words: readonly string[]): MigrateArguments {
  const text = { type: 'string' } as const
  try {
    const { values } = parseArgs({ args: [...words], options: { to: text, home: text, blobs: text } })
    return { ...values, to: values.to ?? '' }
  } catch (error) {
    throw new SettingError(error instanceof Error ? error.message : String(error))
  }
}

/**
 * `migrate --to postgres://… [--blobs PLACE] [--home DIR]`: migrates the data folder of one machine to a database.
 * @param settings settings from the environment
 * @param print called with each line of progress
 * @throws SettingError for invalid settings, and whatever `migrate` throws
 */
export async function runMigrate(
  { to, home = '', blobs }: MigrateArguments,
  settings: Pick<Config, 'home' | 'blobs' | 'secretsKey'>,
  print: (line: string) => void,
): Promise<void> {
  const folder = home || settings.home
  const migrated = await migrate({
    home: folder,
    to: readDatabaseUrl('--to', to),
    blobs: blobs === undefined ? settings.blobs : readPlace('--blobs', blobs),
    blobsOfSettings: settings.blobs,
    secretsKey: settings.secretsKey,
    report: print,
  })
  for (const line of summary(migrated, folder, blobs)) print(line)
}

function summary(migrated: Migrated, folder: string, blobs: string | undefined): string[] {
  if (migrated.kind === 'done before')
    return [
      `The database took this data folder over at ${migrated.at.toISOString()}. Nothing was changed.`,
      ...(migrated.isBehind
        ? ['The data folder has been used since. What was done there is not in the database.']
        : []),
    ]
  const { rows, sums, contents, isSealed } = migrated
  const total = [...rows.values()].reduce((sum, number) => sum + number, 0)
  return [
    `All ${total} rows are in the database.`,
    `Of ${sums.accounts} ${sums.accounts === 1 ? 'account' : 'accounts'}, the balances, ${sums.credits} credits in all, are the sums of the ledger.`,
    contents
      ? `${contents.number} contents of files (${contents.bytes} bytes) are copied. Every host needs ${blobs === undefined ? 'REFILE_BLOBS as it is set here' : `REFILE_BLOBS='${blobs}'`}.`
      : 'Contents of files were left where they are. With --blobs, results can be downloaded from any host.',
    ...(contents && contents.missing.length > 0
      ? [`${contents.missing.length} contents were gone already: ${contents.missing.slice(0, 5).join(', ')}`]
      : []),
    ...(isSealed
      ? [
          `Every host needs the same key: ${folder}/secrets.key in its own data folder, or in Base64 as REFILE_SECRETS_KEY.`,
        ]
      : []),
    'The data folder is as it was. Do not start Refile with it any more, unless REFILE_DATABASE_URL is set.',
  ]
}
