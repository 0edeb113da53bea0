/** The possible targets of files, and what the person has chosen. */
import type { TargetChoice } from '../../../../service/web/app/types.ts'
import { text } from '../../../messages/text.ts'
import { choiceOfRow, isTranscript, isUnderWay, type Row, stageOf } from '../rows/row.ts'

/** What files of each kind are most often converted to, in order. */
const popular: Readonly<Record<string, readonly string[]>> = {
  images: ['jpg', 'png', 'webp', 'pdf', 'gif', 'svg'],
  documents: ['pdf', 'docx', 'xlsx', 'jpg', 'txt', 'csv', 'epub', 'md'],
  audio: ['mp3', 'm4a', 'wav', 'flac'],
  video: ['mp4', 'mp3', 'gif', 'webm', 'mov', 'jpg'],
  ebooks: ['epub', 'azw3', 'pdf'],
  fonts: ['ttf', 'woff2'],
  archives: ['zip', '7z'],
}

/** The place of a target among those of the files' categories; the likely one of a format is always first. */
function rankOf({ target, likely }: TargetChoice, categories: ReadonlySet<string>): number {
  if (likely) return -1
  const places = [...categories].map(each => popular[each]?.indexOf(target) ?? -1).filter(at => at >= 0)
  return Math.min(...places, Number.MAX_SAFE_INTEGER)
}

/** What is known of a file, as far as its targets go. */
interface Offered {
  targets: readonly TargetChoice[]
}

/** A target, with the number of files that support it. */
export interface Offer {
  choice: TargetChoice
  files: number
}

/** Display name of a target; transcripts are marked as such. */
export const labelOf = (choice: Pick<TargetChoice, 'label' | 'job'>): string =>
  isTranscript(choice) ? text('convert.transcript', { format: choice.label }) : choice.label

/**
 * Targets that any of the rows supports, common ones first, transcripts last, without those unavailable on this
 * machine.
 */
export function offersOf(rows: Iterable<Pick<Row, 'kind'> & { file: Offered | null }>): Offer[] {
  const offers = new Map<string, Offer>()
  const categories = new Set<string>()
  for (const { file, kind } of rows) {
    if (kind) categories.add(kind)
    for (const choice of file?.targets ?? []) {
      if (choice.missing) continue
      const key = `${isTranscript(choice)}${choice.target}`
      const offer = offers.get(key)
      if (offer) offer.files++
      else offers.set(key, { choice, files: 1 })
    }
  }
  return [...offers.values()].sort(
    ({ choice: a, files: filesOfA }, { choice: b, files: filesOfB }) =>
      Number(isTranscript(a)) - Number(isTranscript(b)) ||
      filesOfB - filesOfA ||
      rankOf(a, categories) - rankOf(b, categories) ||
      a.label.localeCompare(b.label),
  )
}

/** Whether a target can be set for a row: it supports the target with the same meaning, and is not being converted. */
export const takes = (row: Row, wanted: TargetChoice): boolean =>
  !isUnderWay(row) &&
  (row.file?.targets.some(
    choice =>
      choice.target === wanted.target && !choice.missing && isTranscript(choice) === isTranscript(wanted),
  ) ??
    false)

/** What several files are joined into. */
export type Joined = 'pdf' | 'video' | 'audio'

/** Whether a format is that of files that have been joined. */
export const isJoined = (format: string | null): boolean =>
  format === 'files' || format === 'videos' || format === 'recordings'

/** What a file must be able to become to be joined with others. */
const alone = { pdf: 'pdf', video: 'mp4', audio: 'mp3' } as const

/** Whether a file can become pages of a PDF, or a part of a video or a media file, that joins several. */
export function isJoinable(row: Row, into: Joined): boolean {
  // An animation, which becomes a video, has no minutes.
  if (stageOf(row) !== 'ready' || isJoined(row.format) || (into === 'video' && row.format === 'gif'))
    return false
  const category = choiceOfRow(row, alone[into])?.category
  // Text of a media file is no page of it.
  return category !== undefined && (into !== 'pdf' || category !== 'audio')
}

/** The target that all rows share; `mixed` if they differ. */
export function commonTarget(rows: Iterable<Row>): TargetChoice | 'mixed' | null {
  let found: TargetChoice | null | undefined
  for (const row of rows) {
    const choice = choiceOfRow(row, row.target)
    if (found !== undefined && choice?.target !== found?.target) return 'mixed'
    found = choice
  }
  return found ?? null
}

/**
 * The target of a new file unless another was chosen: the last one of its format, or the likely or only possible one.
 * @param last target of its format
 */
export function usualTarget(row: Pick<Row, 'file'>, last: string | undefined): string | null {
  const offered = row.file?.targets.filter(choice => !choice.missing) ?? []
  const usual =
    offered.find(choice => choice.target === last) ??
    offered.findLast(choice => choice.likely) ??
    (offered.length === 1 ? offered[0] : undefined)
  return usual?.target ?? null
}
