import type { Row } from '../state/rows/row.ts'
import classes from './FormatTile.module.css'

const LONGEST = 5

/** A sheet of paper with the name of a file's format, or its suffix where that is shorter, in the colour of its category. */
export const FormatTile = ({ row }: { row: Row }) => (
  <div className={classes.tile} data-category={row.kind ?? undefined} aria-hidden="true">
    {shortName(row)}
  </div>
)

function shortName({ name, formatLabel }: Row): string {
  if (formatLabel && formatLabel.length <= LONGEST) return formatLabel
  return (/\.([^.]+)$/.exec(name)?.[1] ?? '').slice(0, LONGEST).toUpperCase()
}
