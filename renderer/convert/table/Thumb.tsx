import { Thumbnail } from '../../preview/thumbnail/Thumbnail.tsx'
import { FormatTile } from '../add/FormatTile.tsx'
import type { Row } from '../state/rows/row.ts'
import { useTable } from '../state/store.ts'

/** The picture of a row: its format, until a thumbnail is available. */
export function Thumb({ row, isLarge = false }: { row: Row; isLarge?: boolean }) {
  const tile = <FormatTile row={row} />
  const { key, fileId, format, kind } = row
  if (fileId === null ? kind !== 'images' : format === null) return tile
  return (
    <Thumbnail
      of={
        fileId === null
          ? null
          : { kind: 'staged', id: fileId, ...(isLarge && format === 'pdf' && { page: 1 }) }
      }
      {...(!isLarge && { added: { id: key, read: () => useTable.getState().addedFile(key) } })}
      category={kind}
      isLarge={isLarge}
    >
      {tile}
    </Thumbnail>
  )
}
