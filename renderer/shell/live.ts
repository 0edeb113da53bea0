/** Keeps the page true to the service: live events into the stores, and a fresh read after every break. */
import { desktop } from '../api/desktop.ts'
import { followEvents } from '../api/events.ts'
import { onSignedOut } from '../api/signed-out.ts'
import { useConvert } from '../convert/store.ts'
import { startQueue, useWaiting } from '../jobs/queue.ts'
import { isActive, useJobs } from '../jobs/store.ts'
import { useModels } from '../settings/models.ts'
import { goTo } from '../ui/route.ts'
import { announceFinished } from './finished.ts'
import { useSession } from './session.ts'

export function startLive(): () => void {
  const session = useSession.getState()
  const stopSignedOut = onSignedOut(session.signedOut)
  const stopQueue = startQueue()
  void useJobs.getState().load()

  const stopEvents = followEvents({
    batch({ jobs, models, balance }) {
      useModels.getState().apply(models)
      if (jobs.size > 0) useJobs.getState().apply(jobs)
      if (balance !== null) session.setBalance(balance)
    },
    open(again) {
      session.setLive(true)
      if (!again) return
      void session.start()
      void useJobs.getState().load()
    },
    lost: () => session.setLive(false),
  })

  const stopOpened =
    desktop().onOpened?.(files => {
      useConvert.getState().addStaged(files)
      goTo('convert')
    }) ?? (() => {})

  const stopBalance = useSession.subscribe((state, before) => {
    if (state.balance > before.balance) useWaiting.getState().resume()
  })

  // A batch begins when something becomes active and ends when nothing is, here and in the waiting list.
  let seen = new Set<string>()
  const stopJobs = useJobs.subscribe((state, before) => {
    if (state.jobs === before.jobs) return
    let active = 0
    for (const job of state.jobs.values()) {
      if (!isActive(job)) continue
      active++
      seen.add(job.id)
    }
    if (active > 0 || seen.size === 0 || useWaiting.getState().items.some(item => !item.problem)) return
    const ended = [...seen].flatMap(id => state.jobs.get(id) ?? [])
    seen = new Set()
    announceFinished(ended)
  })

  return () => {
    for (const stop of [stopSignedOut, stopQueue, stopEvents, stopOpened, stopBalance, stopJobs]) stop()
  }
}
