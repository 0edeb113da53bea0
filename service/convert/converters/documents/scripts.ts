import { message } from '../../../shared/messages/message.ts'
import type { Task } from '../../catalogue/task.ts'

/** Warns of scripts that no font here shows, if there are any. */
export function warnOfScripts({ warn }: Pick<Task, 'warn'>, lacking: Iterable<string>): void {
  const scripts = [...lacking].join(', ')
  if (scripts) warn(message('font.scripts_missing', { scripts }))
}
