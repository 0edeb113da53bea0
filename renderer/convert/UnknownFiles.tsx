import { messages } from '../messages.ts'
import type { GroupFile } from './groups.ts'
import { SkippedFiles } from './SkippedFiles.tsx'

interface Props {
  files: readonly GroupFile[]
}

/** Files that no conversion starts from. */
export function UnknownFiles({ files }: Props) {
  return (
    <SkippedFiles
      title={messages.convert.unknownTitle(files.length)}
      files={files.map(({ key, name, bytes, problem }) => ({
        key,
        name,
        bytes,
        remark: problem ?? messages.convert.unknownText,
      }))}
      removeLabel={messages.convert.removeFile}
    />
  )
}
