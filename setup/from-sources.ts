import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from './root.mjs'

export interface FromSources extends AsyncDisposable {
  url: string
  apiKey: string
}

/** Starts the service from the sources on any port, with a new key for its data folder. */
export async function startFromSources(home: string): Promise<FromSources> {
  const main = join(root, 'service', 'main.ts')
  const child = spawn(process.execPath, [main, '--home', home, '--port', '0', '--print-key'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, REFILE_LOG_LEVEL: 'warn' },
  })
  const exited = once(child, 'exit')
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line') as Promise<[string]>,
    exited.then(([code]) => Promise.reject(new Error(`The service ended with ${code}.`))),
  ])
  return {
    ...(JSON.parse(line) as { url: string; apiKey: string }),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}
