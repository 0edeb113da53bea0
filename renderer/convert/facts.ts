import { text, textIfAny } from '../messages/text.ts'
import { size } from '../ui/format.ts'
import { isTooLarge } from './plan.ts'
import { choiceOfRow, isUnderWay, type Row, stageOf } from './row.ts'

interface Facts {
  text: string
  tone?: 'danger' | 'attention'
}

/** Seconds as a clock shows them, such as `3:07` or `1:02:45`. */
export function clock(seconds: number): string {
  const whole = Math.round(seconds)
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** Why a conversion failed, as headline and detail; null where it has not. */
export function failureOf(row: Row): { headline: string; detail: string } | null {
  const error = row.item?.error
  if (!error) return null
  return { headline: textIfAny(`failures.${error.code}`) ?? text('convert.failed'), detail: error.detail }
}

/** The line below a name: what went wrong, or what the file is. */
export function factsOf(row: Row): Facts {
  const stage = stageOf(row)
  const failure = failureOf(row)
  if (failure && !row.again && !isUnderWay(row)) {
    return { text: failure.detail, tone: stage === 'failed' ? 'danger' : 'attention' }
  }
  if (stage === 'refused') return { text: row.problem ?? text('convert.unknown'), tone: 'attention' }
  if (row.problem) return { text: row.problem, tone: 'attention' }
  const choice = choiceOfRow(row, row.target)
  if (stage === 'ready' && choice && isTooLarge(row)) {
    return { text: text('convert.tooLarge', { limit: size(choice.maxFileSizeBytes) }), tone: 'attention' }
  }
  if (row.file?.targets.length && row.file.targets.every(({ missing }) => missing)) {
    return { text: text('convert.allMissing'), tone: 'attention' }
  }
  const warning = row.again ? undefined : row.item?.job?.warnings[0]
  if (stage === 'done' && warning) return { text: warning, tone: 'attention' }
  const parts = [row.formatLabel ?? '']
  if (row.file?.pages) parts.push(text('convert.pages', { value: row.file.pages }))
  if (row.file?.minutes) parts.push(clock(row.file.minutes * 60))
  const folder = row.relativePath?.split('/').slice(0, -1).join(' / ')
  if (folder) parts.push(folder)
  return { text: parts.filter(Boolean).join(' · ') }
}
