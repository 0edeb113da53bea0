import { execFileSync } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { checkEngines, checkSandbox, convertAll, enginesHere, healthOf } from './service.ts'

const PATIENCE_MS = 60_000

/** How a container is to be run: nothing in it can be changed, and no process may gain rights. */
export const HARDENED = [
  '--read-only',
  '--tmpfs=/tmp',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
] as const

/**
 * Runs an image as docs/install.md says.
 * @throws Error unless it becomes healthy, knows every engine that the sources have here, and converts a file of each family
 */
export async function checkContainer(image: string): Promise<string> {
  const docker = (...args: string[]) => execFileSync('docker', args, { encoding: 'utf8' }).trim()
  const args = ['--print-key']
  const command = JSON.parse(docker('inspect', '--format', '{{json .Config.Cmd}}', image)) as string[]
  const id = docker(
    'run',
    '--detach',
    ...HARDENED,
    '--publish',
    '127.0.0.1:7421:7421',
    image,
    ...command,
    ...args,
  )
  try {
    const end = Date.now() + PATIENCE_MS
    for (;;) {
      const health = docker('inspect', '--format', '{{.State.Health.Status}}', id)
      if (health === 'healthy') break
      if (Date.now() > end) throw new Error(`The container is ${health}: ${docker('logs', id)}`)
      await setTimeout(1000)
    }
    const url = 'http://127.0.0.1:7421'
    const { apiKey } = JSON.parse(docker('logs', id).split('\n')[0] ?? '') as { apiKey: string }
    const engines = await enginesHere()
    checkEngines(await healthOf(url), engines)
    await convertAll(url, apiKey)
    const confined = checkSandbox(await healthOf(url))
    return `The container is healthy and converts a file of each family, with ${engines.join(', ')}; ${confined}.`
  } finally {
    docker('rm', '--force', '--volumes', id)
  }
}
