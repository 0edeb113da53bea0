/** Sorts staged files by format, and says for each group what it can become and what that costs. */
import type { StagedFile, TargetChoice } from '../../service/app/types.ts'
import type { CostVariants } from '../../service/catalogue/costing.ts'
import { type Values, valueAt } from '../forms/schema.ts'
import type { Entry } from './store.ts'

export interface GroupFile extends StagedFile {
  key: string
}

export interface FileGroup {
  format: string
  label: string
  category: string
  files: GroupFile[]
  bytes: number
  targets: TargetChoice[]
  /** True when no engine for any of the targets is part of this build. */
  allMissing: boolean
}

/** Targets people choose most, first ones first. */
const popularity = [
  'jpg',
  'png',
  'pdf',
  'webp',
  'mp3',
  'docx',
  'epub',
  'zip',
  'wav',
  'txt',
  'ttf',
  'woff2',
  'gif',
  'md',
]

const rank = (target: string) => {
  const place = popularity.indexOf(target)
  return place < 0 ? popularity.length : place
}

const commonestOf = (words: readonly string[]): string => {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? ''
}

/** Targets any file of the group has, popular ones first, then by name. */
function targetsOf(files: readonly StagedFile[]): TargetChoice[] {
  const byKey = new Map<string, TargetChoice>()
  for (const file of files) for (const choice of file.targets) byKey.set(choice.target, choice)
  return [...byKey.values()].sort((a, b) => rank(a.target) - rank(b.target) || a.label.localeCompare(b.label))
}

export interface Sorted {
  groups: FileGroup[]
  /** Files no conversion starts from. */
  unknown: GroupFile[]
}

export function sortEntries(entries: Iterable<Entry>): Sorted {
  const byFormat = new Map<string, GroupFile[]>()
  const unknown: GroupFile[] = []
  for (const { key, staged } of entries) {
    if (!staged) continue
    const file = { ...staged, key }
    if (staged.format === null || staged.targets.length === 0) {
      unknown.push(file)
      continue
    }
    const files = byFormat.get(staged.format)
    if (files) files.push(file)
    else byFormat.set(staged.format, [file])
  }
  const groups = [...byFormat].map(([format, files]): FileGroup => {
    const targets = targetsOf(files)
    return {
      format,
      label: files[0]?.formatLabel ?? format.toUpperCase(),
      category: commonestOf(targets.map(choice => choice.category)),
      files,
      bytes: files.reduce((sum, file) => sum + file.bytes, 0),
      targets,
      allMissing: targets.every(choice => choice.missing),
    }
  })
  // What can be converted comes before what this build has no engine for.
  groups.sort((a, b) => Number(a.allMissing) - Number(b.allMissing))
  return { groups, unknown }
}

const choiceFor = (file: StagedFile, target: string) => file.targets.find(choice => choice.target === target)

/** The target of a group: what the person chose, what they chose last time, or the only one there is. */
export function chosenTarget(
  group: FileGroup,
  chosen: string | undefined,
  remembered: string | undefined,
): TargetChoice | null {
  const offered = group.targets.filter(choice => !choice.missing)
  const find = (key: string | undefined) => offered.find(choice => choice.target === key)
  return find(chosen) ?? find(remembered) ?? (offered.length === 1 ? (offered[0] ?? null) : null)
}

/** Key of the cost variant that the options select; null where there are no variants. */
export function variantOf(variants: CostVariants | null | undefined, options: Values): string | null {
  if (!variants) return null
  const value = valueAt(options, variants.optionKey)
  return typeof value === 'string' && value in variants.variants ? value : variants.default
}

export interface Quote {
  ready: { file: GroupFile; credits: number }[]
  /** Files that stay out because they are larger than the conversion takes. */
  tooLarge: Set<string>
  credits: number
}

export function quoteOf(group: FileGroup, target: string, variant: string | null): Quote {
  const quote: Quote = { ready: [], tooLarge: new Set(), credits: 0 }
  for (const file of group.files) {
    const choice = choiceFor(file, target)
    if (!choice || choice.missing) continue
    if (file.bytes > choice.maxFileSizeBytes) {
      quote.tooLarge.add(file.key)
      continue
    }
    const credits = (variant !== null && choice.variants?.[variant]) || choice.credits
    quote.ready.push({ file, credits })
    quote.credits += credits
  }
  return quote
}
