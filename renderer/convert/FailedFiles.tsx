import { text } from '../messages/text.ts'
import { SkippedFiles } from './SkippedFiles.tsx'
import type { Entry } from './store.ts'

interface Props {
  entries: ReadonlyMap<string, Entry>
}

/** Files that could not be taken in, each with its reason. */
export function FailedFiles({ entries }: Props) {
  const failed = [...entries.values()].filter(entry => entry.phase === 'failed')
  if (failed.length === 0) return null
  return (
    <SkippedFiles
      title={text('convert.failedTitle', { value: failed.length })}
      files={failed.map(({ key, name, bytes, problem }) => ({ key, name, bytes, remark: problem }))}
      removeLabel={name => text('convert.dismissFile', { name })}
    />
  )
}
