import { Box, Group } from '@mantine/core'
import { text } from '../../messages/text.ts'
import { FilePicker } from './FilePicker.tsx'
import classes from './Folder.module.css'

/** Sheets in the folder: the most common format of each category, and how it lies there. */
const sheets = [
  { label: 'HEIC', category: 'images', lie: 'translateY(8px) rotate(-3deg)' },
  { label: 'DOCX', category: 'documents', lie: 'translateY(-9px) rotate(1deg)' },
  { label: 'FLAC', category: 'audio', lie: 'translateY(4px) rotate(-1.2deg)' },
  { label: 'MP4', category: 'video', lie: 'translateY(-15px) rotate(0.6deg)' },
  { label: 'EPUB', category: 'ebooks', lie: 'translateY(2px) rotate(2.2deg)' },
  { label: 'WOFF2', category: 'fonts', lie: 'translateY(-10px) rotate(-1.6deg)' },
  { label: 'ZIP', category: 'archives', lie: 'translateY(7px) rotate(3deg)' },
]

interface Props {
  /** Files are being dragged over the window, so the folder opens. */
  open: boolean
}

/** The empty page: one large folder as a drop target. */
export function Folder({ open }: Props) {
  return (
    <section className={classes.scene} data-open={open || undefined} aria-label={text('convert.dropTitle')}>
      <div className={classes.back} />
      <div className={classes.sheets} aria-hidden="true">
        {sheets.map(({ label, category, lie }) => (
          <div
            key={label}
            className={classes.sheet}
            data-sheet
            data-category={category}
            style={{ ['--lie' as string]: lie }}
          >
            <span className={classes.sheetTab}>{label}</span>
            <span className={classes.line} />
            <span className={classes.line} />
            <span className={classes.line} />
          </div>
        ))}
      </div>
      <div className={classes.front} data-sheet>
        <Box p={20} ta="center">
          <h2 className={classes.title}>{open ? text('convert.dropActive') : text('convert.dropTitle')}</h2>
          <Box component="p" m="6px 0 24px" c="var(--folder-ink-2)">
            {text('convert.dropText')}
          </Box>
          <Group gap={12} justify="center">
            <FilePicker />
          </Group>
        </Box>
      </div>
    </section>
  )
}
