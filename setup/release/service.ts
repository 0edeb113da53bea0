import { setTimeout } from 'node:timers/promises'
import { Refile } from '../../sdk/src/index.ts'
import { fixtures } from './fixtures.ts'
import { version } from './step.ts'

/** What a built service is asked over HTTP, in whatever it was packed. */

/** How long each thing may take on a slow machine that starts everything for the first time. */
const PATIENCE_MS = 180_000

export async function eventually<T>(
  what: string,
  look: () => T | null | undefined | Promise<T | null | undefined>,
): Promise<T> {
  const end = Date.now() + PATIENCE_MS
  while (Date.now() < end) {
    const found = await look()
    if (found !== null && found !== undefined) return found
    await setTimeout(200)
  }
  throw new Error(`${what} took more than ${PATIENCE_MS / 1000} seconds.`)
}

export interface Health {
  version: string
  engines: { name: string; available: boolean; hint: string | null }[]
  /** null until a worker has started. */
  sandbox: Record<'files' | 'systemCalls' | 'network', boolean | null>
}

export const healthOf = async (url: string): Promise<Health> =>
  (await (await fetch(`${url}/health`)).json()) as Health

/**
 * What the system must do to workers, as in docs/security.md. On a Mac it is only reported, since it has not been tried on one.
 * @throws Error naming what it does not
 */
export function checkSandbox({ sandbox }: Pick<Health, 'sandbox'>, platform = process.platform): string {
  const missing = Object.entries(sandbox).flatMap(([what, isOn]) => (isOn ? [] : [what]))
  if (platform === 'linux' && missing.length > 0)
    throw new Error(`/health says that workers are not confined: ${missing.join(', ')}.`)
  return missing.length === 0 ? 'workers are confined' : `workers are not confined: ${missing.join(', ')}`
}

/** @throws Error naming the engines that `found` lacks or that cannot work */
export function checkEngines(found: Omit<Health, 'sandbox'>, expected: readonly string[]): void {
  if (found.version !== version) throw new Error(`${found.version} answers, not ${version}.`)
  const missing = expected.filter(
    name => !found.engines.some(engine => engine.name === name && engine.available),
  )
  if (missing.length > 0) throw new Error(`/health says that these do not work: ${missing.join(', ')}.`)
}

/** Converts a file of each family. @returns how long each took, in seconds */
export const convertAll = async (url: string, apiKey: string): Promise<string> => {
  const refile = new Refile({ baseUrl: url, apiKey })
  const times: string[] = []
  const results = new Map<string, Buffer>()
  for (const { name, target, content, magic } of fixtures()) {
    const source = typeof content === 'string' ? results.get(content) : content
    if (!source) throw new Error(`There is no result of ${content} before ${name}.`)
    const start = performance.now()
    const converted = await refile.convert({ name, data: new Blob([new Uint8Array(source)]) }, target)
    const result = Buffer.from(await new Response(await converted.stream()).arrayBuffer())
    if (!result.toString('latin1').startsWith(magic)) throw new Error(`${name} did not become ${target}.`)
    results.set(name, result)
    times.push(`${name} to ${target} ${((performance.now() - start) / 1000).toFixed(1)} s`)
  }
  return times.join(', ')
}

/** The engines that work for a service. Everything built from the sources must have those that these have on the same machine. */
export const enginesOf = async (url: string): Promise<string[]> =>
  (await healthOf(url)).engines.flatMap(({ name, available }) => (available ? [name] : []))
