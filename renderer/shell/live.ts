/**
 * Keeps the page in sync with the service: applies live events to the stores, and reads everything again after an
 * interruption.
 */
import { desktop } from '../api/desktop.ts'
import { followEvents } from '../api/events.ts'
import { onSignedOut } from '../api/signed-out.ts'
import { holdRemovals } from '../convert/state/removal.ts'
import { useTable } from '../convert/state/store.ts'
import { holdHistoryRemovals } from '../history/removals.ts'
import { useBatches } from '../jobs/batches.ts'
import { useJobs } from '../jobs/store.ts'
import { useSession } from '../session/session.ts'
import { useModels, useOcrLanguages } from '../settings/models.ts'
import { goTo } from '../ui/route.ts'
import { announce, finishedBatches, finishedJobs } from './finished.ts'

function load(): void {
  void useJobs.getState().load()
  void useBatches.getState().load()
  void useTable.getState().restore()
}

export function startLive(): () => void {
  const session = useSession.getState()
  const stopSignedOut = onSignedOut(session.signedOut)
  let opened = false

  const stopEvents = followEvents({
    changes({ jobs, batches, models, languages, balance }) {
      useModels.getState().apply(models)
      useOcrLanguages.getState().apply(languages)
      if (jobs.size > 0) {
        useJobs.getState().apply(jobs)
        useTable.getState().applyJobs(jobs)
      }
      if (batches.size > 0) {
        useBatches.getState().apply(batches)
        useTable.getState().applyBatches(batches)
      }
      if (balance !== null) session.setBalance(balance)
    },
    open(again) {
      session.setLive(true)
      opened = true
      // Only data read from here on is complete: events report all later changes.
      load()
      if (again) void session.start()
    },
    lost() {
      session.setLive(false)
      // Without a stream the lists still show what there is, or that they could not be loaded.
      if (!opened) load()
    },
  })

  const stopOpened =
    desktop().onOpened?.(files => {
      useTable.getState().addStaged(files)
      goTo('convert')
    }) ?? (() => {})

  const stopLinked = desktop().onLinked?.(goTo) ?? (() => {})

  const stopRemovals = holdRemovals()
  const stopHistoryRemovals = holdHistoryRemovals()
  const stopBatches = useBatches.subscribe((state, before) => {
    if (state.batches !== before.batches) finishedBatches(before.batches, state.batches).forEach(announce)
  })
  const stopJobs = useJobs.subscribe((state, before) => {
    if (state.jobs !== before.jobs) finishedJobs(before.jobs, state.jobs).forEach(announce)
  })

  return () => {
    for (const stop of [
      stopSignedOut,
      stopEvents,
      stopOpened,
      stopLinked,
      stopRemovals,
      stopHistoryRemovals,
      stopBatches,
      stopJobs,
    ])
      stop()
  }
}
