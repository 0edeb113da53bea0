import { FormatTile } from './FormatTile.tsx'
import type { Row } from './row.ts'

/** The picture of a row: its format, until there is one of its content. */
export function Thumb({ row }: { row: Row }) {
  const suffix = /\.([^.]+)$/.exec(row.name)?.[1] ?? ''
  return <FormatTile label={(suffix || row.format) ?? ''} category={row.kind} />
}
