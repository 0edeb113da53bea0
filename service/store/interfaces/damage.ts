import type { Message } from '../../shared/messages/message.ts'

/** A damaged database that was replaced by an older one or a new one. */
export interface Damage {
  /** ISO date of the start that found it. */
  readonly date: string
  /**
   * Whether the first sweep since then is over. That one deletes nothing: what the database in use does not know, the damaged one
   * may have needed.
   */
  readonly isSorted: boolean
  /** What to show people; undefined once somebody has dismissed it. */
  readonly notice: Message | undefined
  sorted(): Promise<void>
  dismiss(): Promise<void>
}
