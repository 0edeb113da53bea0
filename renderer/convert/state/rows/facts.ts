import type { StagedFile } from '../../../../service/web/app/types.ts'
import { keptMetadata } from '../../../forms/schema.ts'
import { resultName } from '../../../jobs/output.ts'
import { inLine, text, verbatim } from '../../../messages/text.ts'
import { clock } from '../../../preview/sound/clock.ts'
import { date, size } from '../../../ui/format.ts'
import { isTooLarge } from '../choose/plan.ts'
import { choiceOfRow, isUnderWay, type Row, stageOf } from './row.ts'

interface Facts {
  text: string
  tone?: 'danger' | 'attention'
  /** Whether it needs the width of the whole row: reasons, warnings and paths. */
  isWide?: true
}

/** The line below a name: what went wrong, or facts about the file. */
export function factsOf(row: Row): Facts {
  const stage = stageOf(row)
  const failure = row.item?.error
  if (failure && !row.needsReconversion && !isUnderWay(row)) {
    return { text: failure.detail, tone: stage === 'failed' ? 'danger' : 'attention' }
  }
  if (stage === 'refused') return { text: row.problem ?? text('convert.unknown'), tone: 'attention' }
  // A password was asked for, and whether it fits is seen in the preview.
  if (row.problem && !row.options.password) return { text: row.problem, tone: 'attention' }
  const choice = choiceOfRow(row, row.target)
  if (stage === 'ready' && choice && isTooLarge(row)) {
    return { text: text('convert.tooLarge', { limit: size(choice.maxFileSizeBytes) }), tone: 'attention' }
  }
  if (row.file?.targets.length && row.file.targets.every(({ missing }) => missing)) {
    return { text: text('convert.allMissing'), tone: 'attention' }
  }
  const warning = row.needsReconversion ? undefined : row.item?.job?.warnings[0]
  if (stage === 'done' && warning) return { text: warning, tone: 'attention' }
  const savedTo = row.needsReconversion ? null : row.item?.savedTo
  if (stage === 'done' && savedTo) return { text: verbatim(savedTo), isWide: true }
  return { text: ownFactsOf(row) }
}

/** What a file is, whatever became of it. */
export const ownFactsOf = (row: Row): string =>
  inLine([
    ...(stageOf(row) === 'done' ? ownNameOf(row) : []),
    row.formatLabel,
    ...measuresOf(row.file),
    ...originOf(row),
    row.relativePath?.split('/').slice(0, -1).join(' / '),
  ])

/** What a result is called, unless that follows from its file. */
function ownNameOf({ item, name }: Row): string[] {
  const result = item?.job && resultName(item.job)
  return !result || result.includes(name.replace(/\.[^.]*$/, '')) ? [] : [verbatim(result)]
}

/** Camera, date and place of a photo, and which of them its result will not have: that comes first, since a row may cut off the rest. */
function originOf({ file, options, target }: Row): string[] {
  const { camera, taken, place } = file?.facts ?? {}
  const keep = target === null ? 'all' : keptMetadata(options)
  const shown = place && keep === 'no-place' ? text('convert.withoutPlace', { place }) : place
  const parts = [shown, camera, taken && date(taken)].filter(part => part !== undefined)
  return keep === 'none' && parts.length > 0
    ? [text('convert.withoutMetadata', { parts: inLine(parts) })]
    : parts
}

/** Size, number of pages or length, as far as they were measured. */
function measuresOf(file: StagedFile | null): string[] {
  const { width, height, pages, frames = 1, seconds, hdr, hdrCurve } = file?.facts ?? {}
  return [
    ...(width && height ? [text('convert.pixels', { width, height })] : []),
    ...(pages ? [text('convert.pages', { value: pages })] : []),
    ...(frames > 1 ? [text('convert.frames', { value: frames })] : []),
    ...(hdr || hdrCurve ? [verbatim('HDR')] : []),
    ...(seconds ? [clock(Math.max(1, Math.round(seconds)))] : []),
  ]
}
