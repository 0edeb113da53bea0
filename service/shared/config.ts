import { join } from 'node:path'
import { type Setting, settings } from './settings/table.ts'
import { SettingError } from './settings/values.ts'

export { LAST_PORT, type Role, readPort, readRole, SettingError } from './settings/values.ts'

export { version } from './version.ts'

/** All settings of the service by name; settings/table.ts says what each does and how it is set. */
export type Config = {
  [Name in keyof typeof settings]: (typeof settings)[Name] extends Setting<infer Value> ? Value : never
}

/** Folder speech models are downloaded to. */
export const modelsFolder = ({ home }: Pick<Config, 'home'>): string => join(home, 'models')

/**
 * The effective settings: `overrides` first, then the environment, then the defaults.
 * @throws SettingError if one is invalid by itself
 */
export function readSettings(overrides: Partial<Config> = {}, environment = process.env): Config {
  const given: Readonly<Record<string, unknown>> = overrides
  const found = Object.entries(settings).map(([name, { variable, read, fallback }]) => {
    if (Object.hasOwn(given, name)) return [name, given[name]]
    const text = environment[variable]
    return [name, text === undefined || text === '' ? fallback(environment) : read(text)]
  })
  return Object.fromEntries(found) as Config
}

/**
 * The same, for a service.
 * @throws SettingError also if it cannot start with them in combination
 */
export function loadConfig(overrides: Partial<Config> = {}, environment = process.env): Config {
  const config = readSettings(overrides, environment)
  if (config.role !== 'all' && config.databaseUrl === null) {
    throw new SettingError(
      `The role ${config.role} needs REFILE_DATABASE_URL: only hosts that share a database can divide the work.`,
    )
  }
  if (config.databaseUrl !== null && config.blobs === null) {
    throw new SettingError(
      'REFILE_DATABASE_URL needs REFILE_BLOBS: a folder that all hosts have, or s3://bucket. In the data folder of one host the others could not read the files.',
    )
  }
  if (config.oidcIssuer !== null && (config.oidcClientId === null || config.publicUrl === null)) {
    throw new SettingError(
      'REFILE_OIDC_ISSUER needs REFILE_OIDC_CLIENT_ID, which the provider gives, and REFILE_PUBLIC_URL, where it sends people back to.',
    )
  }
  return config
}
