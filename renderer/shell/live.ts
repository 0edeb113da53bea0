/**
 * Keeps the page in sync with the service: applies live events to the stores, and reads everything again after an
 * interruption.
 */
import { desktop } from '../api/desktop.ts'
import { followEvents } from '../api/events.ts'
import { onSignedOut } from '../api/signed-out.ts'
import { isExpecting, useJoining } from '../convert/state/join/joining.ts'
import { useRemoval } from '../convert/state/rows/removal.ts'
import { useTable } from '../convert/state/store.ts'
import { removals } from '../history/removals.ts'
import { useJobs } from '../jobs/store.ts'
import { useSession } from '../session/session.ts'
import { useModels, usePacks } from '../settings/models.ts'
import { onPageHide } from '../ui/page-hide.ts'
import { goTo } from '../ui/route.ts'
import { announce, type Finished, finishedBatches, finishedJobs, isRunning, together } from './finished.ts'

/** How often everything is read while no events arrive. */
const POLL_MS = 10_000

/** How soon the service has what was chosen for files. */
const KEEP_MS = 300

export function startLive(): () => void {
  const session = useSession.getState()
  let isOpened = false
  let poll: ReturnType<typeof setInterval> | undefined
  let keeping: ReturnType<typeof setTimeout> | undefined
  // What the first screen can do without would keep what it needs waiting.
  const load = () => void useTable.getState().restore().then(session.loadCatalogue)
  const keep = () => {
    keeping = undefined
    void useTable.getState().keep()
  }
  const stops = [
    onSignedOut(() => useSession.setState({ status: 'signed-out' })),
    followEvents({
      changes({ models, languages, balance, waiting, ...changes }) {
        useModels.getState().apply(models)
        usePacks.getState().apply(languages)
        useJobs.getState().apply(changes)
        if (waiting) void useTable.getState().refresh()
        if (balance !== null) useSession.setState({ balance })
      },
      open(again) {
        useSession.setState({ live: true })
        isOpened = true
        clearInterval(poll)
        poll = undefined
        // Only data read from here on is complete: events report all later changes.
        load()
        if (again) void session.start()
      },
      lost() {
        useSession.setState({ live: false })
        // Without a stream the lists still show what there is, or that they could not be loaded.
        if (!isOpened) load()
        poll ??= setInterval(load, POLL_MS)
      },
    }),
    desktop().onOpened?.(files => {
      useTable.getState().addStaged(files)
      goTo('convert')
    }),
    desktop().onLinked?.(goTo),
    announceEnds(),
    useSession.subscribe(({ catalogue }, before) => {
      if (catalogue !== before.catalogue) useTable.getState().nameKinds()
    }),
    useTable.subscribe(() => {
      keeping ??= setTimeout(keep, KEEP_MS)
    }),
    // What could still be undone is completed.
    onPageHide(() => useRemoval.getState().flush()),
    onPageHide(removals.finish),
    onPageHide(keep),
  ]
  return () => {
    clearInterval(poll)
    clearTimeout(keeping)
    for (const stop of stops) stop?.()
  }
}

/** Announces all that has finished together, once nothing runs and nothing is expected. @returns a function that stops it */
function announceEnds(): () => void {
  const pending = new Map<string, Finished>()
  const announcePending = () => {
    if (pending.size === 0 || isRunning(useJobs.getState()) || isExpecting(useJoining.getState())) return
    const finished = [...pending.values()]
    pending.clear()
    announce(together(finished))
  }
  const stopJobs = useJobs.subscribe((state, before) => {
    const finished = [
      ...(state.batches === before.batches ? [] : finishedBatches(before.batches, state.batches)),
      ...(state.jobs === before.jobs ? [] : finishedJobs(before.jobs, state.jobs)),
    ]
    for (const each of finished) pending.set(each.id, each)
    announcePending()
  })
  const notifyShell = () =>
    void desktop()
      .expect?.(isExpecting(useJoining.getState()))
      .catch(() => {})
  // A page that was reloaded expects nothing any more.
  notifyShell()
  const stopJoining = useJoining.subscribe((state, before) => {
    if (isExpecting(state) === isExpecting(before)) return
    notifyShell()
    announcePending()
  })
  return () => {
    stopJobs()
    stopJoining()
  }
}
