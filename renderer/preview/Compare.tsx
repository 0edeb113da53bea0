import { text } from '../messages/text.ts'
import { Dialog } from '../ui/Dialog.tsx'
import classes from './Compare.module.css'
import type { PreviewedFile } from './file.ts'
import { Preview } from './Preview.tsx'

interface Props {
  opened: boolean
  onClose: () => void
  /** The file that was converted. */
  file: PreviewedFile
  /** Request key of the target. */
  target: string
  /** Id of the finished job. */
  result: string
}

const NO_OPTIONS = {}

/** A finished job in the whole window: input beside output. */
export const Compare = ({ opened, onClose, file, target, result }: Props) => (
  <Dialog
    opened={opened}
    onClose={onClose}
    fullScreen
    title={text('preview.compare', { name: file.name })}
    classNames={{ content: classes.content ?? '', body: classes.body ?? '', title: classes.title ?? '' }}
  >
    <Preview file={file} target={target} options={NO_OPTIONS} result={result} fill />
  </Dialog>
)
