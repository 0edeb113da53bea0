/** Which files become one, and in which order. */
import { create } from 'zustand'
import { text } from '../../../messages/text.ts'
import type { Joined } from '../choose/choices.ts'
import type { Joinable } from './joinable.ts'

const titles = {
  pdf: 'convert.joinPdf',
  video: 'convert.joinVideo',
  audio: 'convert.joinRecording',
} as const

/** What joining files into this is called. */
export const joinText = (into: Joined): string => text(titles[into])

export interface JoinState {
  /** What they become. */
  into: Joined
  /** Keys of the rows in the order in which they are joined. */
  order: readonly string[]
  /** Whether the person is being asked for the order. */
  isAsking: boolean
  /** Whether files are to be joined as soon as they have been read: chosen before there were any. */
  isWanted: boolean
  want(isWanted: boolean): void
  /** Asks for the order. @param joinable in the order to begin with */
  ask(joinable: Joinable): void
  /** Moves a file to another place, limited to the first and last one. @param to counted from 0 */
  move(key: string, to: number): void
  close(): void
}

export const useJoin = create<JoinState>()((set, get) => ({
  into: 'pdf',
  order: [],
  isAsking: false,
  isWanted: false,
  want: isWanted => set({ isWanted }),
  ask: ({ into, keys }) => set({ into, order: keys, isAsking: true, isWanted: false }),
  move(key, to) {
    const { order } = get()
    if (!order.includes(key)) return
    const others = order.filter(each => each !== key)
    const place = Math.max(0, Math.min(others.length, to))
    if (order[place] === key) return
    set({ order: others.toSpliced(place, 0, key) })
  },
  // The dialog shows its files until it has disappeared.
  close: () => set({ isAsking: false }),
}))
