import { execFileSync, spawnSync } from 'node:child_process'
import { startFromSources } from '../from-sources.ts'
import { temporaryFolder } from '../temporary.ts'
import { checkEngines, checkSandbox, convertAll, enginesOf, eventually, healthOf } from './service.ts'

/** How a container is to be run: nothing in it can be changed, and no process may gain rights. */
export const HARDENED = [
  '--read-only',
  '--tmpfs=/tmp',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
] as const

/** What it gets of the machine. */
const LIMITS = ['--memory=4g', '--cpus=2', '--pids-limit=1024'] as const

/** Whether a program ends with success. */
export const works = (...[program, ...args]: string[]): boolean =>
  spawnSync(program ?? '', args, { stdio: 'ignore' }).status === 0

const secondsSince = (start: number): string => `${((performance.now() - start) / 1000).toFixed(1)} s`

/**
 * Runs an image as docs/install.md says, with limits, and stops it.
 * @returns its size, and how long what took
 * @throws Error unless it becomes healthy, knows every engine that the sources have here, converts a file of each family, and ends by itself
 * when asked to
 */
export async function checkContainer(program: 'docker' | 'podman', image: string): Promise<string> {
  const call = (...args: string[]) => execFileSync(program, args, { encoding: 'utf8' }).trim()
  const inspect = (what: string, subject: string) => call('inspect', '--format', `{{${what}}}`, subject)
  const command = JSON.parse(inspect('json .Config.Cmd', image)) as string[]
  // Podman may lack what gives containers networks of their own, and crun does not know all forms of cgroups.
  const network =
    program === 'docker'
      ? ['--publish=127.0.0.1:7421:7421']
      : ['--network=host', '--ulimit=nofile=4096:4096', '--ulimit=nproc=4096:4096']
  const runtime = program === 'podman' && works('runc', '--version') ? ['--runtime', 'runc'] : []
  let start = performance.now()
  const id = call(
    ...runtime,
    ...['run', '--detach'],
    ...[...HARDENED, ...LIMITS, ...network, image, ...command, '--print-key'],
  )
  try {
    await eventually(
      'Becoming healthy',
      () =>
        // Podman leaves it to systemd to ask again and again.
        (program === 'docker'
          ? inspect('.State.Health.Status', id) === 'healthy'
          : works('podman', ...runtime, 'healthcheck', 'run', id)) || null,
    ).catch(error => {
      throw new Error(`${error.message} ${call('logs', id)}`)
    })
    const ready = secondsSince(start)
    const url = 'http://127.0.0.1:7421'
    const { apiKey } = JSON.parse(call('logs', id).split('\n')[0] ?? '') as { apiKey: string }
    using home = temporaryFolder('engines')
    await using sources = await startFromSources(home.path)
    const engines = await enginesOf(sources.url)
    checkEngines(await healthOf(url), engines)
    const converted = await convertAll(url, apiKey)
    const confined = checkSandbox(await healthOf(url))
    start = performance.now()
    call(...runtime, 'stop', '--time=20', id)
    const stopped = secondsSince(start)
    if (inspect('.State.ExitCode', id) !== '0')
      throw new Error(`The container did not end by itself: ${call('logs', id)}`)
    const size = Math.round(Number(inspect('.Size', image)) / 1e6)
    return `${size} MB; healthy after ${ready}; ${converted}; stopped in ${stopped}. It has ${engines.join(', ')}; ${confined}.`
  } finally {
    call('rm', '--force', '--volumes', id)
  }
}
