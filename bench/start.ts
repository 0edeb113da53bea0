/** How long the service takes to start with a data folder that it knows, and how much memory it takes while nothing happens. Linux only. */
import { setTimeout as delay } from 'node:timers/promises'
import { median, ownMegabytes, report, rounds, startBuiltService } from './harness.ts'

const ROUNDS = rounds(7)
const START_GOAL = 0.6
const MEMORY_GOAL = 95
const IDLE_MS = 30_000

const first = await startBuiltService()
await first.close()
const times: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  const started = performance.now()
  const service = await startBuiltService({}, first.home)
  times.push((performance.now() - started) / 1000)
  await service.close()
}
const seconds = median(times)
report('second start', `${seconds.toFixed(2)} s`, `≤ ${START_GOAL} s`, seconds <= START_GOAL)

const service = await startBuiltService({}, first.home)
await delay(IDLE_MS)
const megabytes = ownMegabytes(service.pid)
report('idle for 30 s: memory', `${megabytes.toFixed(0)} MB`, `≤ ${MEMORY_GOAL} MB`, megabytes <= MEMORY_GOAL)
await service.stop()
