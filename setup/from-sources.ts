import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from './root.mjs'

export interface StartedService extends AsyncDisposable {
  url: string
  apiKey: string
  /** Opens the app once. */
  pageUrl: string
  pid: number
}

/** Starts the service from the sources on any port, with a new key for its data folder. */
export const startFromSources = (home: string): Promise<StartedService> =>
  startService([join(root, 'service', 'main.ts')], home, { REFILE_LOG_LEVEL: 'warn' })

/** The same of any program of the service, with options of Node before it. */
export async function startService(
  program: readonly string[],
  home: string,
  env: NodeJS.ProcessEnv,
): Promise<StartedService> {
  const words = ['--home', home, '--port', '0', '--print-key', '--open']
  const child = spawn(process.execPath, [...program, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  const exited = once(child, 'exit')
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line') as Promise<[string]>,
    exited.then(([code]) => Promise.reject(new Error(`The service ended with ${code}.`))),
  ])
  return {
    ...(JSON.parse(line) as Pick<StartedService, 'url' | 'apiKey' | 'pageUrl'>),
    pid: child.pid ?? 0,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}
