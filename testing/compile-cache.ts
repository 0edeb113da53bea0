/**
 * Fills Node's compile cache before the tests, for the hundreds of workers and services that they start from the sources: a
 * worker then starts in 0.1 s of processor time instead of 0.3, a service in 0.5 instead of 0.8. A process that is killed,
 * as most are, writes nothing into the cache itself.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Starts the service and loads its lazy modules. */
const script = `
  await import(${JSON.stringify(join(root, 'service/host/host.ts'))})
  await import(${JSON.stringify(join(root, 'service/sandbox/workers/entry.ts'))})
  await import(${JSON.stringify(join(root, 'testing/misbehaving-worker.ts'))})
  const { converters } = await import(${JSON.stringify(join(root, 'service/convert/converters/index.ts'))})
  await Promise.allSettled(converters.map(converter => converter.load?.()))
  process.exit(0)`

/**
 * Starts filling the cache while the tests already run: tests that start earlier are merely slower. Vitest calls it once for all.
 */
export function setup({ config }: { config: { env: Partial<Record<string, string>> } }): () => Promise<void> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script],
    {
      env: { ...process.env, ...config.env },
      stdio: 'ignore',
    },
  )
  const exited = new Promise<void>(resolve => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  return async () => {
    child.kill()
    await exited
  }
}
