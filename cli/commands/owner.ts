import { setTimeout as pause } from 'node:timers/promises'
import type {
  ApiKey,
  AppJob,
  CreatedApiKey,
  Downloadable,
  DownloadList,
  EncoderTrial,
  NewApiKey,
  Page,
} from '../../service/web/app/types.ts'
import type { CliContext } from '../context.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-codes.ts'
import { print, printList, printTable, printValue } from '../print.ts'
import { Report } from '../report.ts'

/** Commands of the owner of this machine's service, by first-party routes. */

interface Flags {
  json?: boolean
}

/** `refile jobs`: the newest jobs. */
export async function jobs({ json = false }: Flags, context: CliContext): Promise<ExitCode> {
  const { own } = await context.service()
  const { items } = await own<Page<AppJob>>('/app/jobs?limit=50')
  const progressOf = ({ status, percent }: AppJob) =>
    status === 'Running' ? `${Math.floor(percent)} %` : status
  const rowOf = (job: AppJob) => [job.id, progressOf(job), `${job.inputName} → ${job.target}`]
  printList(items, json, ['job', 'status', 'conversion'], rowOf)
  return exitCode.done
}

/** `refile cancel JOB…` */
export async function cancel(ids: string[], context: CliContext): Promise<ExitCode> {
  const { client } = await context.service()
  for (const id of ids) await client.cancel(id)
  return exitCode.done
}

interface KeyFlags extends Flags {
  /** Credits in a month. */
  budget?: number
  /** ISO 8601. */
  expires?: string
  address: string[]
  guest?: boolean
}

/** `refile key create NAME`: prints the key, which is shown only now. */
export async function createKey(
  name: string,
  { json = false, budget, expires, address, guest }: KeyFlags,
  context: CliContext,
): Promise<ExitCode> {
  const { own } = await context.service()
  const wanted = { name, guest, monthlyBudget: budget, expiresAt: expires, ipAllowlist: address }
  const key = await own<CreatedApiKey>('/app/keys', { method: 'POST', body: wanted satisfies NewApiKey })
  if (json) printValue(key)
  else print(`${key.secret}\n`)
  return exitCode.done
}

/** `refile key list` */
export async function listKeys({ json = false }: Flags, context: CliContext): Promise<ExitCode> {
  const { own } = await context.service()
  const keys = await own<ApiKey[]>('/app/keys')
  const rowOf = ({ id, name, lastUsedAt }: ApiKey) => [id, name, lastUsedAt ?? 'never']
  printList(keys, json, ['id', 'name', 'last used'], rowOf)
  return exitCode.done
}

/** `refile key revoke ID` */
export async function revokeKey(id: string, context: CliContext): Promise<ExitCode> {
  const { own } = await context.service()
  const keys = await own<ApiKey[]>('/app/keys')
  const found = keys.filter(key => key.id === id || key.name === id)
  const [key] = found
  if (!key) throw new UsageError(`There is no key "${id}".`)
  if (found.length > 1)
    throw new UsageError(
      `Several keys are called "${id}". Say which: ${found.map(key => key.id).join(', ')}.`,
    )
  await own(`/app/keys/${key.id}`, { method: 'DELETE' })
  return exitCode.done
}

/** What can be downloaded, by its route. */
type Kind = 'models' | 'packs'

const listOf = async (kind: Kind, { service }: CliContext): Promise<readonly Downloadable[]> =>
  (await (await service()).own<DownloadList<Downloadable>>(`/app/${kind}`)).items

/** `refile models`, `refile packs`: what there is, and what is installed of it. */
export async function downloads(kind: Kind, { json = false }: Flags, context: CliContext): Promise<ExitCode> {
  const rowOf = ({ id, state, bytes }: Downloadable) => [id, state, `${Math.round(bytes / 1e6)} MB`]
  printList(await listOf(kind, context), json, [kind.slice(0, -1), 'state', 'size'], rowOf)
  return exitCode.done
}

/** Time between two looks at a download. */
const LOOK_MS = 500

/** The one of this id. */
async function found(kind: Kind, id: string, context: CliContext): Promise<Downloadable> {
  const item = (await listOf(kind, context)).find(each => each.id === id)
  if (!item) throw new UsageError(`There is no ${kind.slice(0, -1)} "${id}". refile ${kind} lists them.`)
  return item
}

/** `refile models install ID`, `refile packs add ID` */
export async function install(kind: Kind, id: string, context: CliContext): Promise<ExitCode> {
  const { own } = await context.service()
  const find = () => found(kind, id, context)
  if ((await find()).state === 'installed') return exitCode.done
  await own(`/app/${kind}/${id}/download`, { method: 'POST' })
  const report = new Report({ json: false, quiet: false })
  report.start(1)
  for (;;) {
    await pause(LOOK_MS, undefined, { signal: context.signal })
    const { state, problem, received, bytes } = await find()
    if (state !== 'downloading') {
      report.finish()
      if (state === 'installed') return exitCode.done
      throw new Error(problem ?? 'The download was stopped.')
    }
    report.progress(id, (100 * received) / bytes)
  }
}

/** `refile packs remove ID` */
export async function removePack(id: string, context: CliContext): Promise<ExitCode> {
  await found('packs', id, context)
  await (await context.service()).own(`/app/packs/${id}`, { method: 'DELETE' })
  return exitCode.done
}

interface Health {
  version: string
  engines: { name: string; version: string | null; available: boolean; hint: string | null }[]
  sandbox: Record<string, string | null>
}

/** `refile doctor`: what the service can do here, and what it lacks; with `--encoders`, which encoders of video work. */
export async function doctor(
  { json = false, encoders }: Flags & { encoders?: boolean },
  context: CliContext,
): Promise<ExitCode> {
  const { url, own } = await context.service()
  if (encoders) {
    printList(await own<EncoderTrial[]>('/app/encoders'), json, ['encoder', 'runs on', 'speed'], trial => [
      trial.name,
      trial.hardware ? 'graphics card' : 'processor',
      trial.fps === null ? 'does not work here' : `${Math.round(trial.fps)} frames of 720p a second`,
    ])
    return exitCode.done
  }
  const health = (await (await fetch(`${url}/health`)).json()) as Health
  const missing = await own<string[]>('/app/missing').catch(() => [])
  if (json) printValue({ ...health, missing })
  else {
    print(`Refile ${health.version} at ${url}\n\n`)
    printTable(
      ['engine', 'version'],
      health.engines.map(engine => [engine.name, engine.available ? (engine.version ?? 'works') : 'missing']),
    )
    for (const { hint } of health.engines) if (hint) print(`\n${hint}\n`)
    const walls = Object.entries(health.sandbox).map(([name, wall]) => `${name}: ${wall ?? 'not known yet'}`)
    print(`\nsandbox  ${walls.join(', ')}\n`)
    const count = missing.length
    print(
      count === 0 ? 'All conversions work.\n' : `${count} conversions are missing: ${missing.join(', ')}\n`,
    )
  }
  return missing.length === 0 ? exitCode.done : exitCode.missing
}
