import { IconRefresh } from '@tabler/icons-react'
import { retryRows } from '../convert/state/actions.ts'
import { text } from '../messages/text.ts'
import type { Action, Subject } from './action.ts'

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
