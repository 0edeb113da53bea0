import { homedir, tmpdir } from 'node:os'
import { delimiter } from 'node:path'
import { type Config, modelsFolder } from '../../shared/config.ts'
import { workerProcess } from '../process-settings.ts'

/** Variables of ours that programs need in order to run, and the folder of what developers look at. */
const PASSED_ON = 'PATH LANG LC_ALL SystemRoot USERPROFILE NODE_EXTRA_CA_CERTS TZ REFILE_DUMP'.split(' ')

/** The environment of a worker: only what it needs, so that a parser can read none of our secrets. */
export function workerEnvironment(
  config: Pick<Config, 'ffmpeg' | 'fetchPacks' | 'home' | 'models' | 'offline' | 'resources' | 'slots'>,
  resourcesFolder: string | undefined,
  scratch: string,
): Record<string, string> {
  const chosen: Record<string, string | null | undefined> = {
    HOME: homeFolder(config.home),
    REFILE_FETCH_PACKS: config.fetchPacks && !config.offline ? '1' : undefined,
    REFILE_FFMPEG: config.ffmpeg,
    REFILE_MODELS: [modelsFolder(config), ...(config.models ? [config.models] : [])].join(delimiter),
    REFILE_RESOURCES: config.resources ?? resourcesFolder,
    REFILE_SLOTS: String(config.slots),
    TMPDIR: process.platform === 'win32' ? undefined : tmpdir(),
    TEMP: process.platform === 'win32' ? scratch : undefined,
    ...workerProcess.env,
  }
  const inherited = PASSED_ON.map(name => [name, process.env[name]] as const)
  return Object.fromEntries(
    [...inherited, ...Object.entries(chosen)].filter((entry): entry is [string, string] => Boolean(entry[1])),
  )
}

/** Engines ask for it, and stop where there is none: a container may run as a user that the system does not know. */
function homeFolder(data: string): string {
  try {
    return homedir()
  } catch {
    return data
  }
}
