import { type Preset, RefileError } from '../sdk/src/index.ts'
import { UsageError } from './exit-codes.ts'
import type { Service } from './service.ts'
import type { Settings } from './settings.ts'

/**
 * The preset that a command works by, if it does: the one that was named, or else that of the settings where no target is.
 * @throws UsageError if there is neither a preset nor a target
 */
export function presetOf(
  { to, preset }: { to?: string; preset?: string },
  settings: Settings,
): string | undefined {
  const found = preset ?? (to === undefined ? settings.preset : undefined)
  if (to === undefined && found === undefined)
    throw new UsageError('Say what the files are to become, such as --to jpg.')
  return found
}

/**
 * A preset of the account, by its name or id.
 * @throws UsageError if there is none, or if the service keeps none
 */
export async function findPreset({ client }: Service, wanted: string, signal: AbortSignal): Promise<Preset> {
  const presets = await client.presets(signal).catch(error => {
    const isUnknown = error instanceof RefileError && error.status === 404
    throw isUnknown
      ? new UsageError('This service keeps no presets. Use --to, and --set for options.')
      : error
  })
  const preset = presets.find(({ id, name }) => [id, name.toLowerCase()].includes(wanted.toLowerCase()))
  if (preset) return preset
  const known = presets.map(({ id, name, builtIn }) => (builtIn ? id : name)).join(', ')
  throw new UsageError(`There is no preset "${wanted}". There are ${known}.`)
}
