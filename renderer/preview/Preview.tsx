import { Stack, Text } from '@mantine/core'
import { useEffect } from 'react'
import type { Preview as Shown } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { problemText } from '../ui/notifications/problem.ts'
import { Facts } from './content/Facts.tsx'
import { Sides } from './content/Sides.tsx'
import type { PreviewedFile } from './file.ts'
import classes from './Preview.module.css'
import { CategoryIcon } from './thumbnail/icons.tsx'
import { usePreview } from './usePreview.ts'

interface Props {
  file: PreviewedFile
  /** Request key of the target; null shows the file alone. */
  target: string | null
  options: Record<string, unknown>
  /** Id of the finished job whose output is compared; null for a quick conversion. */
  result: string | null
  /** Fills the available space, instead of using the height of a picture in a column. */
  fill?: boolean
  /** Called with what is shown; null while something newer is being made. */
  onShown?: (preview: Shown | null) => void
}

/** A file beside its result: from a real conversion that follows the options, or from a job's output. */
export function Preview({ file, target, options, result, fill = false, onShown }: Props) {
  const { preview, isLoading, error } = usePreview(file, target, options, result)
  useEffect(() => onShown?.(isLoading ? null : preview), [onShown, isLoading, preview])
  const problem = preview?.problem?.detail ?? (error ? problemText(error) : null)
  return (
    <section
      className={classes.preview}
      data-fill={fill || undefined}
      // In a dialog it is no region beside the one of the page.
      aria-label={fill ? undefined : text('preview.title')}
      aria-busy={isLoading}
    >
      <div className={classes.stage} data-stale={(isLoading && preview !== null) || undefined}>
        {problem !== null ? (
          <Blank category={file.category} title={text('preview.failed')} detail={problem} />
        ) : preview && (preview.before || preview.after) ? (
          <Sides preview={preview} file={file} target={target} />
        ) : (
          <Blank
            category={file.category}
            title={text(preview && !isLoading ? 'preview.nothing' : 'preview.loading')}
            detail={null}
          />
        )}
        {isLoading && <span className={classes.progress} />}
      </div>
      {preview && problem === null && <Facts preview={preview} />}
    </section>
  )
}

function Blank({
  category,
  title,
  detail,
}: {
  category: string | null
  title: string
  detail: string | null
}) {
  return (
    <Stack
      gap={6}
      align="center"
      justify="center"
      p={20}
      ta="center"
      c="var(--mark, var(--ink-3))"
      className="preview-side"
      data-category={category ?? undefined}
    >
      <CategoryIcon category={category} size={36} />
      <Text fw={600} c="var(--ink-2)">
        {title}
      </Text>
      {detail !== null && <p className="aside">{detail}</p>}
    </Stack>
  )
}
