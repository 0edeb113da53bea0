import { Group, Stack } from '@mantine/core'
import type { Preview } from '../../../service/web/app/types.ts'
import { text } from '../../messages/text.ts'
import { percent, size } from '../../ui/format.ts'
import classes from './Facts.module.css'

/** From this factor on, "times as large" is clearer than percent. */
const MANIFOLD = 10

/** Size and similarity of a result, in a line or two. */
export function Facts({ preview }: { preview: Preview }) {
  const { bytes, ssim, warnings } = preview
  const dimensions = dimensionsOf(preview)
  const change = bytes === null ? null : changeOf(preview.inputBytes, bytes)
  if (!change && !dimensions && warnings.length === 0) return null
  return (
    <Stack gap={2} fz="sm" className={`${classes.facts} numbers`} role="status">
      {change && (
        <p className={classes.size} data-tone={change.isLarger ? 'attention' : undefined}>
          {preview.isEstimate ? text('preview.about', { change: change.words }) : change.words}
        </p>
      )}
      <Group component="p" gap="2px 14px" c="var(--ink-3)">
        {dimensions && <span>{dimensions}</span>}
        {ssim !== null && <span>{text(`preview.difference.${differenceAt(ssim)}`)}</span>}
      </Group>
      {warnings.map(warning => (
        <p key={warning} data-tone="attention">
          {warning}
        </p>
      ))}
    </Stack>
  )
}

/** What a person sees at a structural similarity; from 0.98 on, differences are hard to find even side by side. */
const differenceAt = (ssim: number) =>
  ssim >= 0.98 ? 'none' : ssim >= 0.95 ? 'close' : ssim >= 0.88 ? 'seen' : 'clear'

function changeOf(inputBytes: number, bytes: number): { words: string; isLarger: boolean } {
  const sizes = { before: size(inputBytes), after: size(bytes) }
  const ratio = bytes / inputBytes
  const change = Math.abs(ratio - 1)
  if (change < 0.005) return { words: text('preview.same', sizes), isLarger: false }
  const isLarger = ratio > 1
  // Something is always left.
  const shown = isLarger ? change : Math.min(change, 0.99)
  if (ratio >= MANIFOLD)
    return { words: text('preview.timesLarger', { ...sizes, factor: Math.round(ratio) }), isLarger }
  return {
    words: text(isLarger ? 'preview.larger' : 'preview.smaller', { ...sizes, percent: percent(shown) }),
    isLarger,
  }
}

function dimensionsOf({ before, after }: Preview): string | null {
  const [a, b] = [before, after].map(look =>
    look?.kind === 'picture' && look.width !== null && look.height !== null
      ? { width: look.width, height: look.height }
      : null,
  )
  if (a && b && (a.width !== b.width || a.height !== b.height))
    return text('preview.resized', { ...a, newWidth: b.width, newHeight: b.height })
  const known = b ?? a
  return known ? text('preview.dimensions', known) : null
}
