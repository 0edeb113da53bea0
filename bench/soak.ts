/**
 * Runs thousands of mixed jobs, some with poisoned inputs, while it kills workers and the service itself, and reports what is
 * lost, left behind or grows. `REFILE_SOAK_JOBS` and `REFILE_SOAK_SEED` set the number of jobs and the seed; on SIGTERM it
 * starts no more jobs and reports. Linux only; needs `npm run build`.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { randomFrom } from '../testing/samples/random.ts'
import { childrenOf, ownMegabytes, report, startBuiltService } from './harness.ts'
import { inputs, poison, type SoakInput } from './soak/inputs.ts'
import { leftovers, processesOf, wrongMoney } from './soak/leftovers.ts'

const JOBS = Number(process.env.REFILE_SOAK_JOBS || 5000)
const SEED = Number(process.env.REFILE_SOAK_SEED || 1)
const POISONED_SHARE = 0.05
/** Concurrent callers; 6 jobs run, the others wait. */
const CALLERS = 12
/** A worker is killed after about this many jobs. */
const WORKER_KILL_EVERY = 40
/** Progress at which the service is killed. The second half runs without restarts, to measure growth. */
const RESTARTS_AT = [0.1, 0.2, 0.3, 0.4]
/** Progress from which growth is measured. */
const MEASURED_FROM = 0.55
/** If twelve callers polled more often, they would slow down the jobs. */
const POLL_MS = 200
const TOLD_EVERY = 250
const TIMEOUT_MS = 900_000

const random = randomFrom(SEED)
const environment = { REFILE_SLOTS: '6' }
let service = await startBuiltService(environment)
const { home } = service
const pids = [service.pid]
const rss = (): number => ownMegabytes(service.pid)

let begun = 0
let done = 0
let restarts = 0
let workerKills = 0
let restarting: Promise<void> | undefined
let baseline = 0
const wrong: string[] = []
const ends = new Map<string, number>()
let crashedSound = 0
let isEnding = false
process.once('SIGTERM', () => {
  isEnding = true
})

async function restart(): Promise<void> {
  restarts++
  process.kill(service.pid, 'SIGKILL')
  await delay(200)
  service = await startBuiltService(environment, home)
  pids.push(service.pid)
}

interface Answer {
  status: number
  body: Buffer
}

/** Sends a request once the service is up; undefined if the service was killed before it had answered completely. */
async function ask(path: string, init?: RequestInit): Promise<Answer | undefined> {
  await restarting
  try {
    const headers = { 'x-service-api-key': service.key }
    const answer = await fetch(`${service.url}${path}`, { ...init, headers })
    return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) }
  } catch {
    return undefined
  }
}

const parsed = <T>({ body }: Answer): T => JSON.parse(body.toString()) as T

/** Submits until the job is accepted. */
async function submit({ name, bytes, target }: SoakInput): Promise<string | undefined> {
  for (;;) {
    const body = new FormData()
    body.set('targetFormat', target)
    body.set('file', new Blob([new Uint8Array(bytes)]), name)
    const answer = await ask('/convert', { method: 'POST', body })
    if (answer?.status === 202) return parsed<{ id: string }>(answer).id
    // Some poisoned files are refused at once.
    if (answer && answer.status !== 429 && answer.status !== 401) {
      const { error } = parsed<{ error: string }>(answer)
      ends.set(`refused ${error}`, (ends.get(`refused ${error}`) ?? 0) + 1)
      return undefined
    }
    await delay(POLL_MS)
  }
}

interface Status {
  status: string
  error: { code: string } | null
}

async function endOf(id: string): Promise<Status | undefined> {
  const deadline = performance.now() + TIMEOUT_MS
  while (performance.now() < deadline) {
    const answer = await ask(`/convert/job/${id}`)
    if (answer?.status === 200) {
      const status = parsed<Status>(answer)
      if (status.status !== 'Queued' && status.status !== 'Running') return status
    } else if (answer?.status === 404) return undefined
    await delay(POLL_MS)
  }
  return undefined
}

async function one(): Promise<void> {
  const number = begun++
  const sound = inputs[Math.floor(random() * inputs.length)]!
  const isPoisoned = random() < POISONED_SHARE
  const input = isPoisoned ? poison(sound, random) : sound
  const startedIn = restarts
  const id = await submit(input)
  if (id !== undefined) {
    const end = await endOf(id)
    const how = end ? [end.status, end.error?.code].filter(Boolean).join(' ') : 'lost'
    ends.set(how, (ends.get(how) ?? 0) + 1)
    const isInterrupted = how === 'Failed jobs.interrupted' && restarts - startedIn >= 2
    if (how === 'Failed jobs.engine_crashed' && !isPoisoned) crashedSound++
    else if (end === undefined || (!isPoisoned && how !== 'Succeeded' && !isInterrupted))
      wrong.push(`job ${number} (${input.name} → ${input.target}): ${how}`)
    if (end?.status === 'Succeeded') {
      const output = await ask(`/convert/job/${id}/download`)
      if (output && (output.status !== 200 || output.body.length === 0))
        wrong.push(`job ${number} has no output: ${output.status}`)
    }
  }
  done++
  if (done % TOLD_EVERY === 0 && !restarting)
    console.error(`  ${done} jobs, ${wrong.length} wrong, ${rss().toFixed(0)} MB`)
  // While the service restarts there is no worker to kill.
  if (random() < 1 / WORKER_KILL_EVERY && !restarting) {
    const workers = childrenOf(service.pid)
    const victim = workers[Math.floor(random() * workers.length)]
    if (victim !== undefined) {
      workerKills++
      process.kill(victim, 'SIGKILL')
    }
  }
  if (restarts < RESTARTS_AT.length && done >= RESTARTS_AT[restarts]! * JOBS) {
    restarting ??= restart().finally(() => {
      restarting = undefined
    })
    await restarting
  }
  if (baseline === 0 && !restarting && done >= MEASURED_FROM * JOBS) baseline = rss()
}

const started = performance.now()
await Promise.all(
  Array.from({ length: CALLERS }, async () => {
    while (begun < JOBS && !isEnding) await one()
  }),
)
const seconds = (performance.now() - started) / 1000
const growth = baseline === 0 ? 0 : rss() - baseline
// Killing a worker fails the job it was running.
if (crashedSound > workerKills)
  wrong.push(`${crashedSound} sound jobs crashed, and ${workerKills} workers were killed`)
await service.close()
const money = wrongMoney(home)
const files = leftovers(home)
const processes = processesOf(pids)
console.log(
  `  ${done} jobs in ${seconds.toFixed(0)} s, ${workerKills} workers and ${restarts} services killed; seed ${SEED}`,
)
for (const [how, number] of [...ends].toSorted((a, b) => b[1] - a[1])) console.log(`  ${number} ${how}`)
for (const line of [...wrong, ...money, ...files]) console.log(`  ${line}`)
report('wrong states', String(wrong.length + money.length), '0', wrong.length + money.length === 0)
report('leaked files', String(files.length), '0', files.length === 0)
report('leaked processes', String(processes.length), '0', processes.length === 0)
report('growth of the service in the second half', `${growth.toFixed(0)} MB`, '≤ 20 MB', growth <= 20)
await service.stop()
