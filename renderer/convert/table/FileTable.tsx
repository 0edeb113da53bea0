import { IconAlertTriangle } from '@tabler/icons-react'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { perform, possible, subjectOf } from '../../actions/action.ts'
import { rename } from '../../actions/rename.ts'
import { text } from '../../messages/text.ts'
import { removeRows } from '../state/actions.ts'
import type { Line } from '../state/rows/layout.ts'
import { lineAt } from '../state/rows/selection.ts'
import { useView } from '../state/rows/view.ts'
import { useTable } from '../state/store.ts'
import { FileRow } from './FileRow.tsx'
import classes from './FileTable.module.css'
import { GroupRow } from './GroupRow.tsx'
import { HeaderLine } from './HeaderLine.tsx'
import { menuFor, type OpenMenu, RowMenu } from './RowMenu.tsx'

export const ROW_PX = 64
export const GROUP_PX = 44
const PAGE_LINES = 10
/** How many lines a key moves, limited to the first and last. */
const stepsOf: Readonly<Record<string, number>> = {
  ...{ ArrowDown: 1, ArrowUp: -1, PageDown: PAGE_LINES, PageUp: -PAGE_LINES },
  ...{ Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY },
}
const OVERSCAN = 6
/** How far from the row's start its menu opens without a pointer. */
const MENU_INSET_PX = 76

const rowgroup = { role: 'rowgroup' }

const columns = ['preview', 'name', 'target', 'state', 'actions'] as const

const RefusedMark = () => (
  <IconAlertTriangle
    data-tone="attention"
    style={{ flex: 'none' }}
    {...{ size: 16, stroke: 1.8, 'aria-hidden': true }}
  />
)

/** All files in one virtualised table. Lines keep their positions whatever happens to the files. */
export function FileTable({ lines }: { lines: readonly Line[] }) {
  const scroller = useRef<HTMLDivElement>(null)
  const cursor = useView(state => state.cursor)
  const focusing = useView(state => state.focusing)
  const indexes = useMemo(() => new Map(lines.map((line, index) => [line.key, index])), [lines])
  const headers = useMemo(() => lines.flatMap((line, index) => (line.type === 'row' ? [] : index)), [lines])
  const cursorIndex = cursor === null ? undefined : indexes.get(cursor)
  const stuck = useRef(-1)

  // The header of the current group stays visible, and the focused line is never removed from the page.
  const rangeExtractor = useCallback(
    (range: Range) => {
      stuck.current = headers.findLast(index => index <= range.startIndex) ?? -1
      const wanted = new Set(defaultRangeExtractor(range))
      if (stuck.current >= 0) wanted.add(stuck.current)
      if (cursorIndex !== undefined) wanted.add(cursorIndex)
      return [...wanted].sort((a, b) => a - b)
    },
    [headers, cursorIndex],
  )
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: index => (lines[index]?.type === 'row' ? ROW_PX : GROUP_PX),
    getItemKey: useCallback((index: number) => lines[index]?.key ?? index, [lines]),
    overscan: OVERSCAN,
    scrollPaddingStart: GROUP_PX,
    rangeExtractor,
  })

  const [menu, setMenu] = useState<OpenMenu | null>(null)
  /** Opens the menu of the row that contains an element; without a position, at the row. */
  const openMenu = (element: Element, at?: OpenMenu['at']): boolean => {
    const line = element.closest('[role="row"]')
    const row = useTable.getState().rows.get(line?.id.replace(/^line-/, '') ?? '')
    if (!line || !row) return false
    const { left, bottom } = line.getBoundingClientRect()
    setMenu(menuFor(row, at ?? { x: left + MENU_INSET_PX, y: bottom }, lines))
    return true
  }

  const closeMenu = () => {
    setMenu(null)
    useView.getState().focusLine()
  }

  const shown = useRef({ virtualizer, indexes })
  shown.current = { virtualizer, indexes }
  useEffect(() => {
    if (focusing === 0) return
    const key = useView.getState().cursor
    const index = key === null ? undefined : shown.current.indexes.get(key)
    if (index === undefined) {
      scroller.current?.focus({ preventScroll: true })
      return
    }
    shown.current.virtualizer.scrollToIndex(index)
    document.getElementById(`line-${key}`)?.focus({ preventScroll: true })
  }, [focusing])

  const onKeyDown = (event: KeyboardEvent) => {
    const view = useView.getState()
    const line = cursorIndex === undefined ? undefined : lines[cursorIndex]
    const element = event.target as HTMLElement
    const isOnLine = element.role === 'row' || element === scroller.current
    const move = (steps: number) => {
      const isFree = event.ctrlKey && !event.shiftKey
      const key = lineAt(lines, view.cursor, steps)
      if (isFree) useView.setState({ cursor: key, focusing: view.focusing + 1 })
      else view.go(lines, key, { range: event.shiftKey })
    }
    const steps = stepsOf[event.key]
    const handle = (): boolean => {
      if (steps !== undefined) {
        move(steps)
        return true
      }
      switch (event.key) {
        case 'ArrowRight':
          if (line && line.type !== 'row' && isOnLine && line.folded) view.toggle(line.key)
          else if (isOnLine) controlsOf(element)[0]?.focus()
          else nextControl(element, 1)?.focus()
          return true
        case 'ArrowLeft':
          if (!isOnLine) (nextControl(element, -1) ?? lineOf(element))?.focus()
          else if (line && line.type !== 'row') {
            if (!line.folded) view.toggle(line.key)
          } else if (cursorIndex !== undefined) {
            const header = headers.findLast(index => index < cursorIndex)
            view.go(lines, lines[header ?? 0]?.key ?? null)
          }
          return true
        case 'Escape':
          if (isOnLine) useView.setState({ selected: new Set() })
          else lineOf(element)?.focus()
          return true
        case 'a':
          if (!event.ctrlKey && !event.metaKey) return false
          view.select(lines.flatMap(each => (each.type === 'row' ? each.key : [])))
          return true
        case ' ':
          if (!isOnLine || !line) return false
          if (line.type !== 'row') view.toggle(line.key)
          else if (event.shiftKey) view.go(lines, line.key, { toggle: true })
          else view.look(line.key)
          return true
        case 'ContextMenu':
          return openMenu(element)
        case 'F10':
          return event.shiftKey && openMenu(element)
        case 'F2': {
          const row = line && isOnLine ? useTable.getState().rows.get(line.key) : undefined
          const on = subjectOf(row ? [row] : [], lines)
          const isPossible = possible([rename], on).length > 0
          if (isPossible) void perform(rename, on)
          return isPossible
        }
        case 'Enter':
          if (!isOnLine || !line) return false
          if (line.type === 'row') element.querySelector<HTMLElement>('[data-primary]')?.click()
          else view.toggle(line.key)
          return true
        case 'Delete':
        case 'Backspace':
          if (!isOnLine) return false
          if (view.selected.size > 0) removeRows(view.selected, lines)
          else if (line && line.type !== 'row') removeRows(line.keys, lines)
          return true
        default:
          return false
      }
    }
    if (!handle()) return
    event.preventDefault()
    event.stopPropagation()
  }

  const grid = {
    role: 'grid',
    'aria-label': text('convert.table'),
    'aria-rowcount': lines.length + 1,
    'aria-colcount': columns.length,
    'aria-multiselectable': true,
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its role is among the attributes that are spread */}
      <div
        {...grid}
        ref={scroller}
        className={classes.scroller}
        tabIndex={cursorIndex === undefined ? 0 : -1}
        onKeyDown={onKeyDown}
        onContextMenu={event => {
          const target = event.target as HTMLElement
          // Popups belong to the table only in the React tree, and a field has a menu of its own.
          if (!event.currentTarget.contains(target) || target.closest('input')) return
          if (openMenu(target, { x: event.clientX, y: event.clientY })) event.preventDefault()
        }}
        onFocus={event => {
          // Entering with Tab selects the first line.
          if (event.target === scroller.current && cursorIndex === undefined && lines[0]) {
            useView.getState().go(lines, lines[0].key)
          }
        }}
      >
        {/* The names of the columns, for screen readers. */}
        <div {...rowgroup} className="hidden-text">
          <div {...{ role: 'row', 'aria-rowindex': 1 }}>
            {columns.map(column => (
              <span key={column} {...{ role: 'columnheader' }}>
                {text(`convert.column.${column}`)}
              </span>
            ))}
          </div>
        </div>
        <div {...rowgroup} style={{ position: 'relative', height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const line = lines[index]
            if (!line) return null
            const place = { index, start, isStuck: index === stuck.current }
            if (line.type === 'group') return <GroupRow key={key} line={line} lines={lines} {...place} />
            if (line.type === 'refused') {
              const title = text('convert.refused', { value: line.keys.length })
              return <HeaderLine key={key} {...place} {...{ line, lines, title }} mark={<RefusedMark />} />
            }
            return (
              <FileRow
                key={key}
                rowKey={line.key}
                lines={lines}
                index={index}
                start={start}
                measure={virtualizer.measureElement}
              />
            )
          })}
        </div>
      </div>
      {/* Outside, so that its keys are not the table's. */}
      {menu && <RowMenu menu={menu} onClose={closeMenu} />}
    </>
  )
}

const lineOf = (element: HTMLElement) => element.closest<HTMLElement>('[role="row"]')

const controlsOf = (line: HTMLElement | null) => [
  ...(line?.querySelectorAll<HTMLElement>('button:not(:disabled), a[href]') ?? []),
]

function nextControl(element: HTMLElement, step: 1 | -1): HTMLElement | undefined {
  const controls = controlsOf(lineOf(element))
  const at = controls.indexOf(element)
  return at < 0 || at + step < 0 ? undefined : controls[at + step]
}
