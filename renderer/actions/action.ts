/** One thing that can be done in the window. Menus, buttons, the palette and keys are made from a list of these. */
import type { IconProps } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { Line } from '../convert/state/rows/layout.ts'
import { useRemoval } from '../convert/state/rows/removal.ts'
import type { Row } from '../convert/state/rows/row.ts'
import { linesNow, shown } from '../convert/state/rows/useLines.ts'
import { useTable } from '../convert/state/store.ts'
import { type Ending, endingOf } from '../convert/state/submit/ending.ts'
import { notifyProblem } from '../ui/notifications/notify.ts'
import type { Shortcut } from '../ui/shortcuts.ts'

/** The files that an action is about. */
export interface Subject {
  rows: readonly Row[]
  /** Of the table, to move within it. */
  lines: readonly Line[]
  ending: Ending
  /** Whether nothing is left to be converted. */
  isOver: boolean
}

export interface Action {
  name(on: Subject): string
  /** The same on the button of one row, with the name of its file or result. */
  nameFor?(name: string): string
  Icon?: ComponentType<IconProps>
  shortcut?: Shortcut
  /** Whether it can be done now; always if left out. */
  when?(on: Subject): boolean
  /** Whether it is the current choice. */
  isCurrent?(): boolean
  do(on: Subject): unknown
}

export const subjectOf = (
  rows: readonly Row[],
  lines: readonly Line[],
  ending = endingOf(rows, Date.now()),
  isOver = false,
): Subject => ({ rows, lines, ending, isOver })

/** All visible files, as they are when something is done with them. */
export const allFiles = (): Subject =>
  subjectOf([...shown(useTable.getState().rows, useRemoval.getState().hidden)], linesNow())

/** Those that can be done now. */
export const possible = (actions: readonly Action[], on: Subject): Action[] =>
  actions.filter(({ when }) => when?.(on) ?? true)

/** Does it, if it can be done now, and shows what goes wrong. */
export async function perform(action: Action, on: Subject): Promise<void> {
  if (possible([action], on).length === 0) return
  try {
    await action.do(on)
  } catch (error) {
    notifyProblem(error)
  }
}

export const keysOf = ({ rows }: Pick<Subject, 'rows'>): string[] => rows.map(({ key }) => key)
