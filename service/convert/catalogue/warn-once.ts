import type { Message } from '../../shared/messages/message.ts'
import type { Task } from './task.ts'

/** The task, with each kind of warning passed on only once, for works that do the same several times. */
export function warningOnce<TaskOptions>(task: Task<TaskOptions>): Task<TaskOptions> {
  const warned = new Set<string>()
  const warn = (warning: Message) => {
    if (!warned.has(warning.key)) task.warn(warning)
    warned.add(warning.key)
  }
  return { ...task, warn }
}
