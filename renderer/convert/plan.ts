/** What pressing Convert would do: the groups with their targets, options, problems and prices. */
import { useMemo } from 'react'
import type { Destination, NewBatch, TargetChoice } from '../../service/app/types.ts'
import type { Catalogue, Conversion, OptionsSchema } from '../api/contract.ts'
import { changedValues, findProblems, type Problems, type Values } from '../forms/schema.ts'
import { useSession } from '../shell/session.ts'
import {
  chosenTarget,
  type FileGroup,
  type Quote,
  quoteOf,
  type Sorted,
  sortEntries,
  variantOf,
} from './groups.ts'
import { useMemory } from './memory.ts'
import { type ConvertState, pairOf, useConvert } from './store.ts'

export interface GroupPlan {
  group: FileGroup
  target: TargetChoice | null
  conversion: Conversion | null
  schema: OptionsSchema | 'loading' | 'failed' | null
  values: Values
  problems: Problems
  quote: Quote | null
}

export interface Plan {
  groups: GroupPlan[]
  unknown: Sorted['unknown']
  files: number
  credits: number
  /** Files whose group has no target yet. */
  undecided: number
  hasProblems: boolean
}

type Choices = Pick<ConvertState, 'targets' | 'options' | 'schemas'>

export function planOf(
  sorted: Sorted,
  { targets, options, schemas }: Choices,
  lastTargets: Readonly<Record<string, string>>,
  catalogue: Catalogue | null,
): Plan {
  const groups = sorted.groups.map((group): GroupPlan => {
    const target = chosenTarget(group, targets[group.format], lastTargets[group.format])
    if (!target)
      return { group, target, conversion: null, schema: null, values: {}, problems: {}, quote: null }
    const pair = pairOf(group.format, target.target)
    const schema = schemas[pair] ?? 'loading'
    const values = options[pair] ?? {}
    const conversion = catalogue?.conversions.find(each => each.job === target.job) ?? null
    return {
      group,
      target,
      conversion,
      schema,
      values,
      problems: typeof schema === 'object' ? findProblems(schema.properties, values) : {},
      quote: quoteOf(group, target.target, variantOf(conversion?.costing.costVariants, values)),
    }
  })
  const sum = (count: (plan: GroupPlan) => number) => groups.reduce((total, plan) => total + count(plan), 0)
  return {
    groups,
    unknown: sorted.unknown,
    files: sum(plan => plan.quote?.ready.length ?? 0),
    credits: sum(plan => plan.quote?.credits ?? 0),
    undecided: sum(plan => (plan.target || plan.group.allMissing ? 0 : plan.group.files.length)),
    hasProblems: groups.some(plan => Object.keys(plan.problems).length > 0),
  }
}

interface PlannedBatch {
  format: string
  /** Entries it consists of. */
  keys: string[]
  request: NewBatch
}

/** One batch for each group that has a target, with only those options that differ from the defaults. */
export function batchesOf(plan: Plan, destination: Destination): PlannedBatch[] {
  return plan.groups.flatMap(({ group, target, schema, values, quote }) => {
    if (!target || !quote || quote.ready.length === 0) return []
    const options = schema && typeof schema === 'object' ? changedValues(schema.properties, values) : {}
    const hasOptions = Object.keys(options).length > 0
    const request = {
      fileIds: quote.ready.map(({ file }) => file.id),
      targetFormat: target.target,
      ...(hasOptions ? { options } : {}),
      destination,
    }
    return [{ format: group.format, keys: quote.ready.map(({ file }) => file.key), request }]
  })
}

export function usePlan(): Plan {
  const entries = useConvert(state => state.entries)
  const targets = useConvert(state => state.targets)
  const options = useConvert(state => state.options)
  const schemas = useConvert(state => state.schemas)
  const lastTargets = useMemory(state => state.lastTargets)
  const catalogue = useSession(state => state.catalogue)
  const sorted = useMemo(() => sortEntries(entries.values()), [entries])
  return useMemo(
    () => planOf(sorted, { targets, options, schemas }, lastTargets, catalogue),
    [sorted, targets, options, schemas, lastTargets, catalogue],
  )
}
