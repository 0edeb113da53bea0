import type { Comparison } from '../../../convert/catalogue/preview.ts'
import { anyObject, boolean, object, oneOf, optional, type Static, string } from '../../http/schema.ts'
import type { Problem } from './jobs.ts'

/** A file to preview: a dropped one, or the input or output of a job. */
export type ViewedFile = Static<typeof ViewedFile>
export const ViewedFile = object({
  kind: oneOf(['staged', 'input', 'output']),
  /** Id of the staged file or of the job. */
  id: string(),
})

export type NewPreview = Static<typeof NewPreview>
export const NewPreview = object({
  file: ViewedFile,
  /** Request key of a target; without one the file is shown alone. */
  targetFormat: optional(string()),
  options: optional(anyObject()),
  /** Whether only the picture of a smaller copy is wanted, which shows sooner what becomes of it. */
  isDraft: optional(boolean()),
})

/** A file beside its result. `file` of a look is a URL here. */
export interface Preview extends Comparison {
  inputBytes: number
  warnings: string[]
  /** Why nothing could be made; both sides are then null. */
  problem: Problem | null
}
