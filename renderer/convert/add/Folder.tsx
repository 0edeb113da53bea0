import { Group } from '@mantine/core'
import { text } from '../../messages/text.ts'
import { FilePicker } from './FilePicker.tsx'
import classes from './Folder.module.css'

/** Sheets in the folder: the most common format of each category. */
const sheets = [
  { label: 'HEIC', category: 'images' },
  { label: 'DOCX', category: 'documents' },
  { label: 'FLAC', category: 'audio' },
  { label: 'MP4', category: 'video' },
  { label: 'EPUB', category: 'ebooks' },
  { label: 'WOFF2', category: 'fonts' },
  { label: 'ZIP', category: 'archives' },
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
        {sheets.map(({ label, category }) => (
          <div key={label} className={classes.sheet} data-category={category}>
            <span className={classes.sheetTab}>{label}</span>
            <span className={classes.line} />
            <span className={classes.line} />
            <span className={classes.line} />
          </div>
        ))}
      </div>
      <div className={classes.front}>
        <div className={classes.content}>
          <h2 className={classes.title}>{open ? text('convert.dropActive') : text('convert.dropTitle')}</h2>
          <p className={classes.text}>{text('convert.dropText')}</p>
          <Group gap={12} justify="center">
            <FilePicker />
          </Group>
        </div>
      </div>
    </section>
  )
}
