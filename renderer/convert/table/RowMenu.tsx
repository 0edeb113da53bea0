import { Menu } from '@mantine/core'
import { Fragment } from 'react'
import { desktop } from '../../api/desktop.ts'
import { text } from '../../messages/text.ts'
import { notifyProblem } from '../../ui/notifications/notify.ts'
import type { Line } from '../state/rows/layout.ts'
import type { Row } from '../state/rows/row.ts'
import { entriesFor, type MenuEntry } from '../state/rows/row-menu.ts'
import { useView } from '../state/rows/view.ts'
import { useTable } from '../state/store.ts'
import classes from './FileTable.module.css'

/** A menu of the page, and where it is. */
export interface OpenMenu {
  at: { x: number; y: number }
  name: string
  groups: MenuEntry[][]
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
  const groups = entriesFor(rows, lines)
  const { showMenu } = desktop()
  if (!showMenu) return { at, name: row.name, groups }
  // Between groups stands a line, which is no entry.
  const entries = groups.flatMap((group, index) => (index > 0 ? [null, ...group] : group))
  showMenu(entries.map(entry => entry?.label ?? null)).then(
    chosen => chosen !== null && entries[chosen]?.run(),
    notifyProblem,
  )
  return null
}

/** The menu of rows in a browser, at the pointer or the row. */
export const RowMenu = ({ menu: { at, name, groups }, onClose }: { menu: OpenMenu; onClose: () => void }) => (
  <Menu opened onClose={onClose} position="bottom-start" offset={2} shadow="lg" width={240}>
    <Menu.Target>
      <button
        type="button"
        className={classes.menuAt}
        style={{ left: at.x, top: at.y }}
        tabIndex={-1}
        aria-hidden="true"
      />
    </Menu.Target>
    <Menu.Dropdown aria-label={text('convert.menuOf', { name })}>
      {groups.map((group, index) => (
        <Fragment key={group[0]?.label}>
          {index > 0 && <Menu.Divider />}
          {group.map(({ label, run }) => (
            <Menu.Item key={label} onClick={run}>
              {label}
            </Menu.Item>
          ))}
        </Fragment>
      ))}
    </Menu.Dropdown>
  </Menu>
)
