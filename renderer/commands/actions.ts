/** Actions of shortcuts and commands, independent of the current page. */

import { pickFiles, pickFolder } from '../convert/add/FileInputs.tsx'
import { useDestination } from '../destination/store.ts'
import { useUsual } from '../forms/usual.ts'
import { batchList } from '../jobs/conversions.ts'
import { isOpen } from '../jobs/known.ts'
import { useJobs } from '../jobs/store.ts'
import { notifyProblem } from '../ui/notifications/notify.ts'
import { goTo } from '../ui/route.ts'
import type { ShortcutId } from '../ui/shortcuts.ts'
import { useOverlay } from './store.ts'

/** Converts everything that is ready, like the button of the main screen. */
async function convert(): Promise<void> {
  goTo('convert')
  const [{ convertAll }, { isPossible }, { planNow }] = await Promise.all([
    import('../convert/state/submit/converting.ts'),
    import('../convert/state/choose/plan.ts'),
    import('../convert/state/choose/usePlan.ts'),
    useDestination.getState().load(),
    useUsual.getState().load(),
  ])
  const plan = planNow()
  if (isPossible(plan)) await convertAll(plan)
}

/** Pauses running batches; resumes if everything is paused. */
async function pauseOrResume(): Promise<void> {
  const { pause, resume } = useJobs.getState()
  const open = batchList(useJobs.getState()).filter(isOpen)
  const act = open.every(({ state }) => state === 'paused') ? resume : pause
  await Promise.all(open.map(({ id }) => act(id)))
}

export const actions: Record<ShortcutId, () => void> = {
  palette: () => useOverlay.getState().show('palette'),
  help: () => useOverlay.getState().show('help'),
  addFiles: pickFiles,
  addFolder: pickFolder,
  convert: () => void convert().catch(notifyProblem),
  pause: () => void pauseOrResume().catch(notifyProblem),
  settings: () => goTo('settings'),
}
