import { clearFinished as clear } from '../convert/state/actions.ts'
import { text } from '../messages/text.ts'
import type { Action } from './action.ts'

export const clearFinished: Action = {
  name: ({ isOver }) => text(isOver ? 'convert.convertMore' : 'convert.clearFinished'),
  when: ({ ending }) => ending.any,
  do: ({ lines }) => clear(lines),
}
