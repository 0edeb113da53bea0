import { text } from '../messages/text.ts'
import type { GroupFile } from './groups.ts'
import { SkippedFiles } from './SkippedFiles.tsx'

interface Props {
  files: readonly GroupFile[]
}

/** Files that no conversion starts from. */
export function UnknownFiles({ files }: Props) {
  return (
    <SkippedFiles
      title={text('convert.unknownTitle', { value: files.length })}
      files={files.map(({ key, name, bytes, problem }) => ({
        key,
        name,
        bytes,
        remark: problem ?? text('convert.unknownText'),
      }))}
      removeLabel={name => text('convert.removeFile', { name })}
    />
  )
}
