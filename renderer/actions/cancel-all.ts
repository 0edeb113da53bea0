import { useJoining } from '../convert/state/join/joining.ts'
import { useJobs } from '../jobs/store.ts'
import { text } from '../messages/text.ts'
import type { Action } from './action.ts'
import { openBatches } from './pause.tsx'

export const cancelAll: Action = {
  name: () => text('commands.cancelAll'),
  when: () => openBatches().length + useJoining.getState().waiting.size > 0,
  do() {
    useJoining.getState().stop()
    return Promise.all(openBatches().map(({ id }) => useJobs.getState().cancelBatch(id)))
  },
}
