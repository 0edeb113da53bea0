/** Starting, pausing and repeating conversions. */

import { IconPlayerPause, IconPlayerPlay, type IconProps, IconRefresh } from '@tabler/icons-react'
import { retryRows } from '../convert/state/actions.ts'
import { isPossible } from '../convert/state/choose/plan.ts'
import { planFor, planNow } from '../convert/state/choose/usePlan.ts'
import { useJoining } from '../convert/state/join/joining.ts'
import { convertAll } from '../convert/state/submit/converting.ts'
import { useDestination } from '../destination/store.ts'
import { useUsual } from '../forms/usual.ts'
import { batchList } from '../jobs/conversions.ts'
import { isOpen } from '../jobs/known.ts'
import { useJobs } from '../jobs/store.ts'
import { text } from '../messages/text.ts'
import { goTo } from '../ui/route.ts'
import type { Action, Subject } from './action.ts'

/** Converts everything that is ready, like the button of the main screen. */
export const convert: Action = {
  name: () => text('convert.convertButton', { value: planNow().files }),
  shortcut: { keys: 'Mod+Enter', label: 'shortcuts.convert' },
  when: () => planNow().files > 0 && isPossible(planNow()),
  async do() {
    goTo('convert')
    await Promise.all([useDestination.getState().load(), useUsual.getState().load()])
    const plan = planNow()
    if (isPossible(plan)) await convertAll(plan)
  },
}

const filesOf = ({ rows }: Subject): number => planFor(rows).files

/** Converts some of the files that are ready, and leaves the others for later. */
export const convertThese: Action = {
  name: on => text('convert.convertSome', { some: filesOf(on), all: planNow().files }),
  when: on => isPossible(planFor(on.rows)) && filesOf(on) < planNow().files,
  do: ({ rows }) => convertAll(planFor(rows)),
}

export const openBatches = () => batchList(useJobs.getState()).filter(isOpen)
const isPaused = (): boolean => openBatches().every(({ state }) => state === 'paused')

/** Pauses running batches; resumes if everything is paused. */
export const pause: Action = {
  name: () => text(isPaused() ? 'common.resume' : 'convert.pause'),
  Icon: (props: IconProps) => (isPaused() ? <IconPlayerPlay {...props} /> : <IconPlayerPause {...props} />),
  shortcut: { keys: 'Mod+.', label: 'shortcuts.pause' },
  when: () => openBatches().length > 0,
  do() {
    const { pause, resume } = useJobs.getState()
    const act = isPaused() ? resume : pause
    return Promise.all(openBatches().map(({ id }) => act(id)))
  },
}

export const cancelAll: Action = {
  name: () => text('commands.cancelAll'),
  when: () => openBatches().length > 0,
  do() {
    useJoining.getState().stop()
    return Promise.all(openBatches().map(({ id }) => useJobs.getState().cancelBatch(id)))
  },
}

/** Those that failed; without any, those that were canceled. */
const stoppedOf = ({ ending: { failed, canceled } }: Subject) => (failed.length > 0 ? failed : canceled)

export const retry: Action = {
  name: on =>
    on.ending.failed.length > 1
      ? text('commands.retryFailed', { value: on.ending.failed.length })
      : text('common.tryAgain'),
  nameFor: name => text('jobs.retry', { name }),
  Icon: IconRefresh,
  when: on => stoppedOf(on).length > 0,
  do: on => retryRows(stoppedOf(on)),
}
