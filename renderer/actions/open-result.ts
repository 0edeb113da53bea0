import { IconExternalLink } from '@tabler/icons-react'
import { desktop } from '../api/desktop.ts'
import { text } from '../messages/text.ts'
import type { Action } from './action.ts'

/** Opens the only result in the system's program for it. */
export const openResult: Action = {
  name: () => text('common.open'),
  nameFor: name => text('convert.open', { name }),
  Icon: IconExternalLink,
  when: ({ ending: { saved } }) => saved.length === 1 && desktop().openOutput !== undefined,
  do: async ({ ending: { saved } }) => saved[0] && desktop().openOutput?.(saved[0].job.id),
}
