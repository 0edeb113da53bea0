/** What pressing Convert would do: files, targets, batches and costs. */
import type { Destination, NewBatch, Preset } from '../../../../service/web/app/types.ts'
import type { Catalogue } from '../../../api/contract.ts'
import { changedValues, findProblems, type Problems, type Values, valueAt } from '../../../forms/schema.ts'
import { pairOf, type Schemas, sentOptions } from '../../../options/schemas.ts'
import { choiceOfRow, type Row, stageOf } from '../rows/row.ts'
import { isLeftOut } from './presets.ts'

/** Files of one format with the same target and options. */
interface Part {
  format: string
  target: string
  options: Values
  rows: Row[]
  problems: Problems
}

export interface Plan {
  parts: Part[]
  files: number
  credits: number
  /** Keys of files that have no target yet. */
  undecided: string[]
  /** Files that the goal in force leaves as they are. */
  leftOut: number
  /** Keys of files being read, which join the batches as soon as they have been read. */
  coming: string[]
  /** Files that are excluded because they are larger than the conversion allows. */
  tooLarge: number
  hasProblems: boolean
}

/** Whether a file is larger than its conversion allows. */
export function isTooLarge(row: Row): boolean {
  const choice = choiceOfRow(row, row.target)
  return choice !== null && row.bytes > choice.maxFileSizeBytes
}

/** Credits for one file, with the variant that its options select. */
export function creditsOf(row: Row, catalogue: Catalogue | null): number {
  const choice = choiceOfRow(row, row.target)
  if (!choice) return 0
  if (!choice.variants) return choice.credits
  const costing = catalogue?.conversions.find(each => each.job === choice.job)?.costing
  const value = costing?.costVariants && valueAt(row.options, costing.costVariants.optionKey)
  return (typeof value === 'string' ? choice.variants[value] : undefined) ?? choice.credits
}

/**
 * @param rows the visible rows
 * @param following the preset in force
 */
export function planOf(
  rows: Iterable<Row>,
  schemas: Schemas,
  catalogue: Catalogue | null,
  following: Preset | null = null,
): Plan {
  // Rows whose options were set together share one object, so these look-ups are cheap.
  const byOptions = new Map<Values, Map<string, Part>>()
  const byContent = new Map<string, Part>()
  const plan: Plan = {
    parts: [],
    files: 0,
    credits: 0,
    undecided: [],
    leftOut: 0,
    coming: [],
    tooLarge: 0,
    hasProblems: false,
  }
  for (const row of rows) {
    const stage = stageOf(row)
    if (stage === 'coming') plan.coming.push(row.key)
    if (stage !== 'ready') continue
    if (row.target === null || row.format === null || !choiceOfRow(row, row.target)) {
      if (isLeftOut(row, following)) plan.leftOut++
      else plan.undecided.push(row.key)
      continue
    }
    if (isTooLarge(row)) {
      plan.tooLarge++
      continue
    }
    const pair = pairOf(row.format, row.target)
    const known = byOptions.get(row.options)
    let part = known?.get(pair)
    if (!part) {
      const content = `${pair} ${JSON.stringify(row.options)}`
      const schema = schemas[pair]
      part = byContent.get(content) ?? {
        format: row.format,
        target: row.target,
        options: row.options,
        rows: [],
        problems:
          typeof schema === 'object' && Object.keys(row.options).length > 0
            ? findProblems(schema.properties, row.options)
            : {},
      }
      byContent.set(content, part)
      byOptions.set(row.options, (known ?? new Map<string, Part>()).set(pair, part))
    }
    part.rows.push(row)
    plan.files++
    plan.credits += creditsOf(row, catalogue)
  }
  plan.parts = [...byContent.values()]
  plan.hasProblems = plan.parts.some(({ problems }) => Object.keys(problems).length > 0)
  return plan
}

/** How many files a press of Convert takes, with those that are still being read. */
export const filesOf = ({ files, coming }: Plan): number => files + coming.length

/** Whether Convert can be pressed. */
export const isPossible = (plan: Plan): boolean => filesOf(plan) > 0 && !plan.hasProblems

export interface PlannedBatch {
  rows: Row[]
  format: string
  request: NewBatch
  /** What somebody has changed, which is kept for the next files. */
  options: Values
}

/**
 * One batch for each format, target and set of options, with only the options that differ from the defaults of the service.
 * @param destinationOf returns where the results of these rows go
 */
export function batchesOf(
  plan: Plan,
  schemas: Schemas,
  destinationOf: (rows: readonly Row[]) => Destination,
): PlannedBatch[] {
  return plan.parts.map(({ rows, format, target, options }) => {
    const schema = schemas[pairOf(format, target)]
    const changed = typeof schema === 'object' ? changedValues(schema.properties, options) : options
    const sent = sentOptions(schema, options)
    const request: NewBatch = {
      fileIds: rows.flatMap(({ fileId }) => fileId ?? []),
      targetFormat: target,
      ...(Object.keys(sent).length > 0 ? { options: sent } : {}),
      destination: destinationOf(rows),
    }
    return { rows, format, request, options: changed }
  })
}
