import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../../testing/servers/is-alive.ts'
import { onScreen } from '../display.ts'
import { startFromSources } from '../from-sources.ts'
import { temporaryFolder } from '../temporary.ts'
import { picture } from './fixtures.ts'
import { checkEngines, checkSandbox, convertAll, enginesOf, eventually, healthOf } from './service.ts'
import { out, step } from './step.ts'

/** How a program is started: it and its first arguments. */
type Command = readonly [program: string, ...args: string[]]

const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'inherit' })

/** A package for this machine's processor. */
function packageOf(pattern: string): string {
  const [name] = globSync(pattern, { cwd: out })
  if (name === undefined) throw new Error(`There is no ${pattern} in ${out}.`)
  return join(out, name)
}

/** Installs this system's package of a release as a person would. @returns how the app is started */
function install(): Command {
  if (process.platform === 'darwin') {
    run(
      'hdiutil',
      'attach',
      '-nobrowse',
      '-mountpoint',
      '/Volumes/Refile',
      packageOf(`Refile-*-${process.arch}.dmg`),
    )
    run('cp', '-R', '/Volumes/Refile/Refile.app', '/Applications/')
    run('hdiutil', 'detach', '/Volumes/Refile')
    return ['/Applications/Refile.app/Contents/MacOS/Refile']
  }
  if (process.platform === 'win32') {
    run(packageOf(`Refile-*-win-${process.arch}.exe`), '/S')
    return [join(process.env.LOCALAPPDATA ?? '', 'Programs', 'refile', 'Refile.exe')]
  }
  run('sudo', 'apt-get', 'install', '--yes', packageOf('Refile-*.deb'))
  return onScreen('/opt/Refile/refile')
}

/** Asks a program to end, as a person or the system would. */
function quit(pid: number): void {
  // Closes its windows; process.kill would end it at once.
  if (process.platform === 'win32') execFileSync('taskkill', ['/PID', String(pid)])
  else process.kill(pid, 'SIGTERM')
}

/**
 * What an installed app must do: start, know every engine, convert a file of each family over HTTP and one for the file manager, and
 * leave nothing running.
 * @param apiKey a key of the data folder `home`
 * @param expected names of the engines
 * @returns how its workers are confined
 */
async function smoke([program, ...args]: Command, home: string, apiKey: string, expected: string[]) {
  const env = { ...process.env, REFILE_HOME: home, REFILE_PORT: '0' }
  const start = (...more: string[]) => spawn(program, [...args, ...more], { env, stdio: 'inherit' })
  const announced = join(home, 'service.json')
  const app = start()
  const ended = once(app, 'exit')
  const { url, pid } = await eventually('The start', () =>
    existsSync(announced)
      ? (JSON.parse(readFileSync(announced, 'utf8')) as { url: string; pid: number })
      : null,
  )
  let confined: string
  try {
    checkEngines(await healthOf(url), expected)
    await convertAll(url, apiKey)
    confined = checkSandbox(await healthOf(url))
    const source = join(home, 'from-file-manager.png')
    writeFileSync(source, picture)
    start('--to=webp', source)
    await eventually('The second start', () => existsSync(source.replace('.png', '.webp')) || null)
  } finally {
    quit(pid)
  }
  await ended
  await eventually('Quitting', () => (isAlive(pid) || existsSync(announced) ? null : true))
  return confined
}

/** Starts the sources for a key of the data folder and the engines that work here, and tries them if nothing else is to be tried. */
async function fromSources(home: string, isInstalled: boolean) {
  await using sources = await startFromSources(home)
  const { url, apiKey } = sources
  const engines = await enginesOf(url)
  if (!isInstalled) await convertAll(url, apiKey)
  return { apiKey, engines }
}

if (import.meta.main)
  await step(async () => {
    using home = temporaryFolder('smoke')
    const isInstalled = process.argv.includes('--installed')
    const { apiKey, engines } = await fromSources(home.path, isInstalled)
    if (!isInstalled) return `The service converts a file of each family; it has ${engines.join(', ')}.`
    const confined = await smoke(install(), home.path, apiKey, engines)
    return `The installed app works, with ${engines.join(', ')}; ${confined}.`
  })
