/** What must be true of everything that hosts have left behind once all work is done. */
import { text } from 'node:stream/consumers'
import pg from 'pg'
import type { BlobStore } from '../../../service/store/interfaces/blobs.ts'
import { type Line, outputOf } from '../../servers/hosts/fence.ts'
import { isAlive } from '../../servers/is-alive.ts'

/** What the callers did and what was confirmed to them. */
export interface Account {
  id: string
  /** Credits at the start. */
  credits: number
}

export interface Confirmed {
  accounts: Account[]
  /** Inputs of accepted jobs, by job id. */
  accepted: Map<string, string>
  /** Jobs that callers wanted to cancel, and those whose cancellation was accepted. */
  unwanted: Set<string>
  canceled: Set<string>
  /** Process ids of the workers that were killed. */
  killed: Set<number>
}

/** A job is given up when its hosts are lost this often; nobody stops cleanly while there are jobs. */
const MAX_ATTEMPTS = 3
/** Tolerance for the time between reading two clocks. */
const TIMING_MS = 100

interface JobRow {
  id: string
  account_id: string
  status: string
  error_code: string | null
  attempts: number
  credit_cost: number
  output_key: string | null
  charges: number
  refunds: number
  amount: number
}

const JOBS = `
  SELECT jobs.id, jobs.account_id, status, error_code, attempts::INT, credit_cost::INT, output_key,
    (SELECT COUNT(*) FROM ledger WHERE job_id = jobs.id AND kind = 'charge')::INT AS charges,
    (SELECT COUNT(*) FROM ledger WHERE job_id = jobs.id AND kind = 'refund')::INT AS refunds,
    (SELECT COALESCE(SUM(amount), 0) FROM ledger WHERE job_id = jobs.id)::INT AS amount
  FROM jobs`
const ACCOUNTS = `
  SELECT id, balance::INT, (SELECT SUM(amount) FROM ledger WHERE account_id = accounts.id)::INT AS sum FROM accounts`

export interface Judgement {
  /** Everything that is wrong; empty if all is well. */
  wrongs: string[]
  /** Number of jobs for each kind of end. */
  ends: Map<string, number>
  /** Attempts that started while the process of an earlier attempt still lived. */
  overlaps: number
}

/** Checks the database and the storage, after a sweep, against what was confirmed to callers and against the fencing log. */
export async function judge(
  url: string,
  blobs: BlobStore,
  confirmed: Confirmed,
  fence: ReadonlyMap<string, Line[]>,
): Promise<Judgement> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows: jobs } = await client.query<JobRow>(JOBS)
  const { rows: balances } = await client.query<{ id: string; balance: number; sum: number }>(ACCOUNTS)
  await client.end()
  const known = new Map(jobs.map(job => [job.id, job]))
  const ends = new Map<string, number>()
  for (const job of jobs) ends.set(endOf(job), (ends.get(endOf(job)) ?? 0) + 1)
  const lost = [...confirmed.accepted.keys()].filter(id => !known.has(id))
  return {
    wrongs: [
      ...lost.map(id => `job ${id} was accepted and is not there`),
      ...jobs.flatMap(job => wrongEnd(job, confirmed, fence.get(job.id) ?? [])),
      ...jobs.flatMap(wrongCost),
      ...balances.flatMap(({ id, balance, sum }) => {
        const paid = jobs.filter(job => job.account_id === id && job.status === 'Succeeded')
        const cost = paid.reduce((total, job) => total + job.credit_cost, 0)
        const left = (confirmed.accounts.find(account => account.id === id)?.credits ?? 0) - cost
        return balance === sum && balance === left
          ? []
          : [`account ${id} has ${balance}, its entries make ${sum}, and its jobs leave ${left}`]
      }),
      ...[...fence].flatMap(([job, lines]) => wrongTurns(job, lines, confirmed)),
      ...(await wrongBlobs(jobs, confirmed, blobs)),
    ],
    ends,
    overlaps: [...fence.values()].flat().filter(({ act }) => act === 'overlap').length,
  }
}

const endOf = ({ status, error_code }: JobRow) => [status, ...(error_code ? [error_code] : [])].join(' ')

/** Every job has ended in one state, which its history explains. */
function wrongEnd(
  job: JobRow,
  { accepted, unwanted, canceled, killed }: Confirmed,
  lines: readonly Line[],
): string[] {
  const input = accepted.get(job.id)
  const last = lines.findLast(({ act, attempt }) => act === 'start' && attempt === job.attempts)
  const isRight: Record<string, boolean> = {
    // A request whose answer was lost may have been accepted, so there may be a job that no caller knows of.
    Succeeded: input === undefined || input.startsWith('fine'),
    Canceled: unwanted.has(job.id),
    'Failed jobs.corrupt_input': input === undefined || input.startsWith('fail'),
    // A worker may have been killed between receiving a task and recording its start.
    'Failed jobs.engine_crashed': !last || killed.has(last.pid),
    'Failed jobs.interrupted': job.attempts === MAX_ATTEMPTS,
  }
  const end = endOf(job)
  const isLate = canceled.has(job.id) && end !== 'Canceled'
  return isRight[end] && !isLate ? [] : [`job ${job.id} (${input}) is ${end} after ${job.attempts} attempts`]
}

function wrongCost({ id, status, credit_cost, charges, refunds, amount }: JobRow): string[] {
  const isPaid = status === 'Succeeded'
  return charges === 1 && refunds === (isPaid ? 0 : 1) && amount === (isPaid ? -credit_cost : 0)
    ? []
    : [`job ${id} (${status}) was charged ${charges}, refunded ${refunds}: ${amount}`]
}

/**
 * An attempt starts once, and once more if its worker was killed; it overlaps no other attempt except one whose lease had expired by then, and leaves no process behind.
 * The outputs show that the result of an attempt without a lease does not count.
 */
function wrongTurns(job: string, lines: readonly Line[], { killed }: Confirmed): string[] {
  const starts = lines.filter(({ act }) => act === 'start')
  const numbers = starts.filter(({ pid }) => !killed.has(pid)).map(({ attempt }) => attempt)
  const leaseOf = (attempt: number) =>
    Math.max(...lines.flatMap(line => (line.act === 'lease' && line.attempt === attempt ? [line.at] : [])))
  const overlaps = lines.filter(({ act }) => act === 'overlap')
  return [
    ...(numbers.every(number => number >= 1 && number <= MAX_ATTEMPTS) &&
    new Set(numbers).size === numbers.length
      ? []
      : [`job ${job} had the attempts ${numbers}`]),
    ...overlaps.flatMap(({ attempt, at }) => {
      const early = at < leaseOf(attempt) - TIMING_MS
      const history = lines.map(({ act, attempt, pid, at }) => `${act} ${attempt} ${pid} ${at}`).join(', ')
      return early ? [`job ${job} was run twice while attempt ${attempt} was under lease: ${history}`] : []
    }),
    ...(starts.some(
      ({ pid, attempt }) =>
        isAlive(pid) && !lines.some(line => line.act === 'end' && line.attempt === attempt),
    )
      ? [`job ${job} has left a process`]
      : []),
  ]
}

/** Every succeeded job has one output, made by its last attempt; nothing else is stored. */
async function wrongBlobs(
  jobs: readonly JobRow[],
  { accepted }: Confirmed,
  blobs: BlobStore,
): Promise<string[]> {
  const succeeded = jobs.filter(({ status }) => status === 'Succeeded')
  const wrong: string[] = []
  for (const { id, attempts, output_key } of succeeded) {
    const name = `output-${attempts}`
    const names = await blobs.list(`jobs/${id}`)
    if (names.join() !== name || output_key !== `jobs/${id}/${name}`) {
      wrong.push(`job ${id} has ${names}, and its result is ${output_key} of ${attempts} attempts`)
      continue
    }
    const input = accepted.get(id)
    const output = await text((await blobs.open(output_key)).stream)
    if (input !== undefined && output !== outputOf(input, attempts)) wrong.push(`job ${id} made "${output}"`)
  }
  const expected = new Set(succeeded.map(({ id }) => id))
  for (const id of await blobs.list('jobs')) if (!expected.has(id)) wrong.push(`blobs of ${id} are orphaned`)
  return wrong
}
