import { appendFileSync, readFileSync } from 'node:fs'

/** What an outside observer knows about a service: its answers and what it has sent. */
export type Entry =
  | { kind: 'accepted'; jobId: string; input: string; webhook: boolean }
  | { kind: 'canceled'; jobId: string }
  | { kind: 'removed'; jobId: string }
  | { kind: 'staged'; fileId: string }
  | { kind: 'batch'; batchId: string; files: number }
  | { kind: 'credits'; amount: number }
  | { kind: 'delivered'; eventId: string; jobId: string; status: string }
  /** Outputs and staged files are old enough to be deleted. */
  | { kind: 'expiring' }
  | { kind: 'process'; pid: number }
  | { kind: 'killed'; at: string }
  | { kind: 'ended'; boundaries: number }

/** Writes synchronously, so that a kill right after it loses nothing. */
export const journalTo =
  (path: string) =>
  (entry: Entry): void =>
    appendFileSync(path, `${JSON.stringify(entry)}\n`)

export type Journal = ReturnType<typeof journalTo>

/** What the lives of a service have written so far. */
export function readJournal(path: string): Entry[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
}
