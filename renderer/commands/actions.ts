/** What shortcuts and commands do, on whatever page the person is. */
import { convertAll } from '../convert/actions.ts'
import { pickFiles, pickFolder } from '../convert/FileInputs.tsx'
import { planNow } from '../convert/useLines.ts'
import { isComplete, useDestination } from '../destination/store.ts'
import { isOpen, useBatches } from '../jobs/batches.ts'
import { tellProblem } from '../ui/notify.ts'
import { goTo } from '../ui/route.ts'
import type { ShortcutId } from './shortcuts.ts'
import { useOverlay } from './store.ts'

/** Converts what is ready, as the button of the main screen does. */
async function convert(): Promise<void> {
  goTo('convert')
  await useDestination.getState().load()
  const plan = planNow()
  if (plan.files === 0 || plan.hasProblems || !isComplete(useDestination.getState().value)) return
  await convertAll(plan)
}

/** Pauses what runs; goes on where everything is paused. */
async function pauseOrResume(): Promise<void> {
  const { batches, pause, resume } = useBatches.getState()
  const open = batches.filter(isOpen)
  const act = open.every(({ state }) => state === 'paused') ? resume : pause
  await Promise.all(open.map(({ id }) => act(id)))
}

export const actions: Record<ShortcutId, () => void> = {
  palette: () => useOverlay.getState().show('palette'),
  help: () => useOverlay.getState().show('help'),
  addFiles: pickFiles,
  addFolder: pickFolder,
  convert: () => void convert().catch(tellProblem),
  pause: () => void pauseOrResume().catch(tellProblem),
  settings: () => goTo('settings'),
}
