import { Button } from '@mantine/core'
import { messages } from '../messages.ts'
import { Panel } from '../ui/Panel.tsx'
import { FileList } from './FileList.tsx'
import type { GroupFile } from './groups.ts'
import { useConvert } from './store.ts'

interface Props {
  files: readonly GroupFile[]
}

/** Files that no conversion starts from. */
export function UnknownFiles({ files }: Props) {
  const remove = useConvert(state => state.remove)
  const title = messages.convert.unknownTitle(files.length)
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
          {messages.convert.failedClear}
        </Button>
      }
    >
      <FileList
        label={title}
        files={files.map(({ key, name, bytes, problem }) => ({
          key,
          name,
          bytes,
          remark: problem ?? messages.convert.unknownText,
        }))}
        removeLabel={messages.convert.removeFile}
        onRemove={key => remove([key])}
      />
    </Panel>
  )
}
