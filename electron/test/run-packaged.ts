/**
 * Runs the main process and the preload script of a package under Node, with the stand-in for Electron's module and
 * everything else real, and does what a person would: opens the page, converts a picture, saves it, quits.
 *
 *   node run-packaged.ts <resources folder> <picture> <target format> <where to save>
 *
 * Prints one line of JSON about how that went.
 */
import { createRequire, registerHooks } from 'node:module'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { signIn } from '../../service/host/owner.ts'
import type { AppJob, Batch, StagedFile } from '../../service/web/app/types.ts'
import type { DesktopBridge } from '../ipc.ts'
import { app, fake } from './fake-electron.ts'

const [resources, picture, target, destination] = process.argv.slice(2) as [string, string, string, string]
const packaged = (...parts: string[]) => join(resources, 'app.asar', 'dist', ...parts)

const stand = new URL('./fake-electron.ts', import.meta.url).href
/** Modules that the main process loads from where packages lie unpacked, which Electron does not check. */
const unchecked: string[] = []
registerHooks({
  load: (url, context, next) => {
    if (/app\.asar\.unpacked|node_modules/.test(url)) unchecked.push(url)
    return next(url, context)
  },
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: stand, shortCircuit: true } : next(specifier, context),
})

/** Waits until a value exists. */
async function eventually<T>(
  poll: () => T | undefined | null | false | Promise<T | undefined | null | false>,
): Promise<T> {
  for (;;) {
    const found = await poll()
    if (found) return found
    await setTimeout(50)
  }
}

fake.isPackaged = true
fake.saveDialog = { canceled: false, filePath: destination }
Object.assign(process, { resourcesPath: resources })
await import(pathToFileURL(packaged('electron', 'main.js')).href)
const window = await eventually(() => {
  if (fake.errorBoxes[0]) throw new Error(fake.errorBoxes[0].join(': '))
  return fake.windows[0]
})
createRequire(import.meta.url)(packaged('preload', 'preload.cjs'))
const bridge = fake.bridges.get('refile') as DesktopBridge

const address = window.urls[0]!
const { origin } = new URL(address)
const session = await signIn(address)
const ask = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
  const answer = await fetch(new URL(path, origin), { ...init, headers: { ...init.headers, ...session } })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

const page = await fetch(new URL('/', origin))
const html = await page.text()
const script = /<script[^>]+src="([^"]+)"/.exec(html)?.[1] ?? '/missing.js'
const code = await fetch(new URL(script, origin))

const post = <T>(path: string, body: unknown): Promise<T> =>
  ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const staged = await post<StagedFile>('/app/files', { path: picture })
const batch = await post<Batch>('/app/batches', { fileIds: [staged.id], targetFormat: target })
const job = await eventually(async () => {
  const { items } = await ask<{ items: AppJob[] }>('/app/jobs?limit=10')
  return items.find(item => item.batchId === batch.id && !['Queued', 'Running'].includes(item.status))
})
const saved = await bridge
  .saveOutput({ jobId: job.id, fileName: job.output?.fileName ?? 'nothing' })
  .catch(String)

const workers = fake.forks.flatMap(fork => fork.process.pid ?? [])
app.quit()
await eventually(() => fake.exitCode !== null)
await eventually(() => fake.forks.every(fork => fork.process.pid === undefined))
console.log(
  JSON.stringify({
    status: job.status,
    error: job.error,
    saved,
    policy: page.headers.get('content-security-policy'),
    scriptType: code.headers.get('content-type'),
    workerEntries: [...new Set(fake.forks.map(fork => fork.entry))],
    workers: workers.length,
    unchecked,
    exitCode: fake.exitCode,
  }),
)
process.exit(0)
