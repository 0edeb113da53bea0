import { Thumbnail } from '../../preview/Thumbnail.tsx'
import { FormatTile } from '../add/FormatTile.tsx'
import type { Row } from '../state/row.ts'

/** The picture of a row: its format, until a thumbnail is available. */
export function Thumb({ row }: { row: Row }) {
  const suffix = /\.([^.]+)$/.exec(row.name)?.[1] ?? ''
  const tile = <FormatTile label={(suffix || row.format) ?? ''} category={row.kind} />
  if (row.fileId === null || row.format === null) return tile
  return (
    <Thumbnail of={{ kind: 'staged', id: row.fileId }} category={row.kind}>
      {tile}
    </Thumbnail>
  )
}
