import { Button } from '@mantine/core'
import { messages } from '../messages.ts'
import { Panel } from '../ui/Panel.tsx'
import { FileList } from './FileList.tsx'
import { type Entry, useConvert } from './store.ts'

interface Props {
  entries: ReadonlyMap<string, Entry>
}

/** Files that could not be taken in, each with its reason. */
export function FailedFiles({ entries }: Props) {
  const remove = useConvert(state => state.remove)
  const failed = [...entries.values()].filter(entry => entry.phase === 'failed')
  if (failed.length === 0) return null
  const title = messages.convert.failedTitle(failed.length)
  return (
    <Panel
      title={title}
      actions={
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          onClick={() => remove(failed.map(entry => entry.key))}
        >
          {messages.convert.failedClear}
        </Button>
      }
    >
      <FileList
        label={title}
        files={failed.map(({ key, name, bytes, problem }) => ({ key, name, bytes, remark: problem }))}
        removeLabel={messages.convert.dismissFile}
        onRemove={key => remove([key])}
      />
    </Panel>
  )
}
