import type { Arrangement } from '../convert/state/rows/layout.ts'
import { useGrouping } from '../convert/state/rows/view.ts'
import { type TextKey, text } from '../messages/text.ts'
import type { Action } from './action.ts'

type Label = Extract<TextKey, `convert.${'group' | 'sort'}By${string}`>

const arrange = (label: Label, wanted: Partial<Arrangement>): Action => ({
  name: () => text(label),
  when: ({ rows }) => rows.length > 0,
  isCurrent() {
    const { groupBy, sortBy } = useGrouping.getState()
    return [groupBy, sortBy].includes(wanted.groupBy ?? wanted.sortBy ?? 'time')
  },
  do: () => useGrouping.getState().arrange(wanted),
})

/** How the table is grouped, and in which order the rows of a group are. */
export const groupings = [
  arrange('convert.groupByKind', { groupBy: 'kind' }),
  arrange('convert.groupByFolder', { groupBy: 'folder' }),
]
export const orders = [
  arrange('convert.sortByTime', { sortBy: 'time' }),
  arrange('convert.sortByName', { sortBy: 'name' }),
  arrange('convert.sortBySize', { sortBy: 'size' }),
  arrange('convert.sortByProblem', { sortBy: 'problem' }),
]
