import { Button } from '@mantine/core'
import { text } from '../messages/text.ts'
import { Panel } from '../ui/Panel.tsx'
import { FileList } from './FileList.tsx'
import { useConvert } from './store.ts'

interface SkippedFile {
  key: string
  name: string
  bytes: number
  remark: string | null
}

interface Props {
  title: string
  files: readonly SkippedFile[]
  /** Name of the button that takes one file out. */
  removeLabel: (name: string) => string
}

/** Files that will not be converted, each with the reason. */
export function SkippedFiles({ title, files, removeLabel }: Props) {
  const remove = useConvert(state => state.remove)
  return (
    <Panel
      title={title}
      actions={
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          onClick={() => remove(files.map(file => file.key))}
        >
          {text('convert.failedClear')}
        </Button>
      }
    >
      <FileList label={title} files={[...files]} removeLabel={removeLabel} onRemove={key => remove([key])} />
    </Panel>
  )
}
