import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startFromSources } from '../from-sources.ts'
import { temporaryFolder } from '../temporary.ts'
import { type Command, install } from './install.ts'
import { picture } from './samples.ts'
import { checkEngines, checkSandbox, convertAll, eventually, healthOf } from './service.ts'
import { step } from './step.ts'

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
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
export async function smoke([program, ...args]: Command, home: string, apiKey: string, expected: string[]) {
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
  const engines = (await healthOf(url)).engines.flatMap(({ name, available }) => (available ? [name] : []))
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
