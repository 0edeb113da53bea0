/** How long the service takes to start with a data folder that it knows, and how much memory it takes while nothing happens. Linux only. */
import { setTimeout as delay } from 'node:timers/promises'
import { median, ownMegabytes, reportMost, rounds, startBuiltService } from './harness.ts'

const ROUNDS = rounds(7)
const IDLE_MS = 30_000

const first = await startBuiltService()
await first.close()
const times: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  const started = performance.now()
  const service = await startBuiltService(first.home)
  times.push((performance.now() - started) / 1000)
  await service.close()
}
reportMost('second start', median(times), 0.6, 's')

const service = await startBuiltService(first.home)
await delay(IDLE_MS)
reportMost('idle for 30 s: memory', ownMegabytes(service.pid), 95, 'MB')
await service.stop()
