import { Menu } from '@mantine/core'
import { Fragment } from 'react'
import { type Action, perform, possible, type Subject, subjectOf } from '../../actions/action.ts'
import { ofRows } from '../../actions/all.ts'
import { desktop } from '../../api/desktop.ts'
import { text } from '../../messages/text.ts'
import { notifyProblem } from '../../ui/notifications/notify.ts'
import type { Line } from '../state/rows/layout.ts'
import type { Row } from '../state/rows/row.ts'
import { useView } from '../state/rows/view.ts'
import { useTable } from '../state/store.ts'

/** A menu of the page, and where it is. */
export interface OpenMenu {
  at: { x: number; y: number }
  name: string
  groups: Action[][]
  on: Subject
}

/**
 * Opens the menu of a row, or of the whole selection that it belongs to.
 * @returns what the page shows; null if the system shows it
 */
export function menuFor(row: Row, at: OpenMenu['at'], lines: readonly Line[]): OpenMenu | null {
  const { go, selected } = useView.getState()
  if (!selected.has(row.key)) go(lines, row.key)
  const all = useTable.getState().rows
  const rows = selected.has(row.key) ? [...selected].flatMap(key => all.get(key) ?? []) : [row]
  const on = subjectOf(rows, lines)
  const groups = ofRows.map(actions => possible(actions, on)).filter(({ length }) => length > 0)
  const { showMenu } = desktop()
  if (!showMenu) return { at, name: row.name, groups, on }
  // Between groups stands a line, which is no entry.
  const entries = groups.flatMap((group, index) => (index > 0 ? [null, ...group] : group))
  showMenu(entries.map(entry => entry?.name(on) ?? null)).then(chosen => {
    const entry = chosen === null ? null : entries[chosen]
    if (entry) void perform(entry, on)
  }, notifyProblem)
  return null
}

/** The menu of rows in a browser, at the pointer or the row. */
export const RowMenu = ({
  menu: { at, name, groups, on },
  onClose,
}: {
  menu: OpenMenu
  onClose: () => void
}) => (
  <Menu opened onClose={onClose} position="bottom-start" offset={2} shadow="lg" width={240}>
    <Menu.Target>
      <button
        type="button"
        style={{ position: 'fixed', left: at.x, top: at.y }}
        tabIndex={-1}
        aria-hidden="true"
      />
    </Menu.Target>
    <Menu.Dropdown aria-label={text('convert.menuOf', { name })}>
      {groups.map((group, index) => (
        <Fragment key={group[0]?.name(on)}>
          {index > 0 && <Menu.Divider />}
          {group.map(action => (
            <Menu.Item key={action.name(on)} onClick={() => void perform(action, on)}>
              {action.name(on)}
            </Menu.Item>
          ))}
        </Fragment>
      ))}
    </Menu.Dropdown>
  </Menu>
)
