import { UsageError } from './exit-codes.ts'
import type { Service } from './service.ts'

/** A preset of the app: what it makes of each format. */
export interface Preset {
  id: string
  name: string
  builtIn: boolean
  choices: Record<string, { target: string; options: Record<string, unknown> }>
}

/**
 * A preset of the app on this machine, by its name or id.
 * @throws UsageError if there is none, or if the service is elsewhere and keeps none
 */
export async function findPreset(service: Service, wanted: string): Promise<Preset> {
  if (service.isElsewhere)
    throw new UsageError(
      'Presets are kept by the Refile of this machine, not by services elsewhere. Use --to, and --set for options, or leave out --url and REFILE_URL.',
    )
  const presets = await service.own<Preset[]>('/app/presets')
  const preset = presets.find(({ id, name }) => [id, name.toLowerCase()].includes(wanted.toLowerCase()))
  if (preset) return preset
  const known = presets.map(({ id, name, builtIn }) => (builtIn ? id : name)).join(', ')
  throw new UsageError(`There is no preset "${wanted}". There are ${known}.`)
}
