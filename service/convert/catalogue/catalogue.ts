import type { Converter } from './converter.ts'
import { type FormatKey, formatOfSuffix, formatOfWord, formats } from './formats.ts'
import type { Options } from './task.ts'

/** One requestable conversion: a source format, a target key, and the converter. */
export interface Edge {
  source: FormatKey
  targetKey: string
  converter: Converter
  /** Options that a preset alias sets before the caller's are applied. */
  preset: Options
}

export type Resolution =
  | { kind: 'found'; edge: Edge }
  | { kind: 'unsupported_source' }
  | { kind: 'unsupported_pair'; source: FormatKey; supportedTargets: string[] }

/** Target words that mean another key if the source has that key. */
const targetWords = new Map<string, readonly string[]>([
  ['md', ['markdown']],
  ['excel', ['xlsx']],
])

/** The whole registry, indexed for look-ups. */
export class Catalogue {
  /** All converters, including those beyond the contract. */
  readonly converters: readonly Converter[]
  /** All edges, in the registry's order: one for each converter and one for each preset alias. */
  readonly edges: readonly Edge[]

  constructor(converters: readonly Converter[]) {
    this.converters = converters
    this.edges = converters.flatMap(converter => [
      { source: converter.source, targetKey: converter.targetKey, converter, preset: {} },
      ...converter.presetAliases.map(alias => ({
        source: converter.source,
        targetKey: alias.key,
        converter,
        preset: alias.options,
      })),
    ])
  }

  byJob(job: string): Converter | undefined {
    return this.converters.find(converter => converter.job === job)
  }

  /** Edges for files of this format: its own before those of its groups. */
  edgesFrom(format: FormatKey): Edge[] {
    const own = this.edges.filter(edge => edge.source === format)
    const grouped = this.edges.filter(
      edge =>
        edge.source !== format &&
        edge.converter.sources.includes(format) &&
        !own.some(other => other.targetKey === edge.targetKey),
    )
    return [...own, ...grouped]
  }

  /** Finds the edge that a source word and a target word mean; see "Which converter a request means". */
  resolve(sourceWord: string, targetWord: string): Resolution {
    const source = this.sourceOf(sourceWord)
    const edges = source ? this.edgesFrom(source) : []
    if (!source || edges.length === 0) return { kind: 'unsupported_source' }
    for (const wanted of targetKeys(targetWord, source)) {
      const edge = edges.find(candidate => candidate.targetKey === wanted)
      if (edge) return { kind: 'found', edge }
    }
    // The contract's come first.
    const keysOf = (isExtension: boolean) =>
      edges
        .filter(({ converter }) => converter.extension === isExtension)
        .map(({ targetKey }) => targetKey)
        .sort()
    const supportedTargets = [...new Set([...keysOf(false), ...keysOf(true)])]
    return { kind: 'unsupported_pair', source, supportedTargets }
  }

  /** The format a source word means, if any converter accepts it. */
  sourceOf(word: string): FormatKey | undefined {
    return [formatOfWord(word), formatOfSuffix(word)].find(
      format => format && this.converters.some(converter => converter.sources.includes(format)),
    )
  }
}

/** Target keys that a word can mean, the closest first. A workbook of a bank statement has a key of its own. */
function targetKeys(word: string, source: FormatKey): string[] {
  const lower = word.trim().toLowerCase().replace(/^\./, '')
  const format = formatOfWord(lower)
  return [
    lower,
    ...(targetWords.get(lower) ?? []),
    `${source}-${lower.replace('xlsx', 'excel')}`,
    ...(format ? [format] : []),
  ]
}

/** What a result is to the next conversion: a PDF/A is a PDF. */
export function resultFormat({ converter: { target } }: Edge): FormatKey {
  return formatOfSuffix(formats[target].suffixes[0] ?? target) ?? target
}

/** Display name of a target. */
export function targetLabel(edge: Edge): string {
  const { label } = formats[edge.converter.target]
  if (edge.targetKey === 'pdf-ocr') return `${label}, searchable`
  return edge.targetKey.startsWith('subtitles-') ? `${label}, those in the video` : label
}
