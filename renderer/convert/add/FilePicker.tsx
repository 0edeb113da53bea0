import { Button } from '@mantine/core'
import { addFiles } from '../../actions/add-files.ts'
import { addFolder } from '../../actions/add-folder.ts'
import { text } from '../../messages/text.ts'
import { shortcutProps } from '../../ui/shortcuts.ts'
import classes from './FilePicker.module.css'

/** Two buttons, since a browser's dialog opens either files or a folder. */
const buttons = [
  {
    action: addFiles,
    label: 'convert.chooseFiles',
    variant: 'filled',
    large: classes.files,
    small: undefined,
  },
  {
    action: addFolder,
    label: 'convert.chooseFolder',
    variant: 'transparent',
    large: classes.folder,
    small: classes.brief,
  },
] as const

interface Props {
  /** Less prominent, for a page that already has files. */
  compact?: boolean
}

export const FilePicker = ({ compact = false }: Props) =>
  buttons.map(({ action, label, variant, large, small }) => (
    <Button
      key={label}
      size={compact ? 'xs' : 'md'}
      variant={compact ? 'default' : variant}
      className={compact ? small : large}
      aria-label={compact ? action.name() : undefined}
      leftSection={<action.Icon size={compact ? 16 : 18} stroke={1.8} aria-hidden="true" />}
      {...shortcutProps(action)}
      onClick={action.do}
    >
      {compact ? action.name() : text(label)}
    </Button>
  ))
