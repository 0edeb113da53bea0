import { IconPlayerPause, IconPlayerPlay, type IconProps } from '@tabler/icons-react'
import { batchList } from '../jobs/conversions.ts'
import { isOpen } from '../jobs/known.ts'
import { useJobs } from '../jobs/store.ts'
import { text } from '../messages/text.ts'
import type { Action } from './action.ts'

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
