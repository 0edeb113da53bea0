import type { MouseEvent, ReactNode } from 'react'

/** Lines and cells of a grid: a virtual list cannot be made of the rows of an HTML table. */

interface LineProps {
  lineKey: string
  /** Its index among all lines, from 0. */
  index: number
  className: string | undefined
  /** Distance from the top in pixels; null for a header that stays visible. */
  start: number | null
  measure?: (element: HTMLElement | null) => void
  isCursor: boolean
  /** Undefined if a line cannot be selected. */
  isSelected?: boolean
  category?: string | undefined
  onClick: (event: MouseEvent) => void
  children: ReactNode
}

const CONTROLS = 'button, a, input, [role="listbox"]'

/** The header of the columns is the first row. */
const FIRST_INDEX = 2

export function GridLine({
  lineKey,
  index,
  className,
  start,
  measure,
  isCursor,
  isSelected,
  category,
  onClick,
  children,
}: LineProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its role is among the attributes that are spread
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of all its lines
    <div
      {...{ role: 'row', 'aria-rowindex': index + FIRST_INDEX, 'aria-selected': isSelected }}
      ref={measure}
      data-index={index}
      id={`line-${lineKey}`}
      tabIndex={isCursor ? 0 : -1}
      className={className}
      data-category={category}
      data-stuck={start === null || undefined}
      data-current={isCursor || undefined}
      style={start === null ? undefined : { transform: `translateY(${start}px)` }}
      // With Shift, lines are selected, and no text.
      onMouseDown={event => {
        if (event.shiftKey && !(event.target as HTMLElement).closest(CONTROLS)) event.preventDefault()
      }}
      onClick={event => {
        const target = event.target as HTMLElement
        // Popups belong to the line only in the React tree, so their clicks are ignored here.
        if (event.currentTarget.contains(target) && !target.closest(CONTROLS)) onClick(event)
      }}
    >
      {children}
    </div>
  )
}

interface CellProps {
  /** Column number, from 1. */
  column: number
  span?: number
  isHeader?: boolean
  className?: string | undefined
  children?: ReactNode
}

export const Cell = ({ column, span, isHeader = false, className, children }: CellProps) => (
  <div
    {...{
      role: isHeader ? 'rowheader' : 'gridcell',
      'aria-colindex': column,
      ...(span === undefined ? {} : { 'aria-colspan': span }),
    }}
    className={className}
  >
    {children}
  </div>
)
