import { portableName } from './names.ts'

/** The values that a file name template can use. */
export interface NameParts {
  /** The input's name without its suffix. */
  name: string
  /** The output's suffix without the dot. */
  ext: string
  /** Position of the file in its batch, from 1. */
  counter: number
  /** Number of files in the batch: counters are padded so that they sort. */
  total: number
  /** Milliseconds since 1970; used for the local date and the local time. */
  date: number
  /** Format key of the input. */
  source: string
  /** Request key of the target. */
  target: string
  /** Name of the preset that was used; undefined without one. */
  preset?: string | undefined
  /** Size of the output in pixels; undefined if it has none. */
  width?: number | undefined
  height?: number | undefined
}

const fields: Record<string, (parts: NameParts) => string | undefined> = {
  name: ({ name }) => name,
  ext: ({ ext }) => ext,
  counter: ({ counter, total }) => String(counter).padStart(String(total).length, '0'),
  date: ({ date }) => localDate(new Date(date)),
  time: ({ date }) => localTime(new Date(date)),
  source: ({ source }) => source,
  target: ({ target }) => target,
  preset: ({ preset }) => preset,
  width: ({ width }) => width?.toString(),
  height: ({ height }) => height?.toString(),
}

const isField = (word: string): boolean => Object.hasOwn(fields, word)

/** Numbers with at least two digits, joined with a hyphen, which file names allow. */
const dashed = (numbers: number[]) => numbers.map(number => String(number).padStart(2, '0')).join('-')

const localDate = (date: Date) => dashed([date.getFullYear(), date.getMonth() + 1, date.getDate()])

const localTime = (date: Date) => dashed([date.getHours(), date.getMinutes(), date.getSeconds()])

const PLACEHOLDER = /\{([^{}]*)\}/g

/** What is wrong with a template. */
export type TemplateProblem = { kind: 'folder' } | { kind: 'unknown'; word: string }

/** Finds what cannot become part of a file name. */
export function templateProblem(template: string): TemplateProblem | undefined {
  if (/[\\/]/.test(template)) return { kind: 'folder' }
  for (const [, word = ''] of template.matchAll(PLACEHOLDER)) {
    if (!isField(word)) return { kind: 'unknown', word }
  }
  return undefined
}

/** Whether a template uses any of these words. */
export const names = (template: string, ...words: string[]): boolean =>
  words.some(word => template.includes(`{${word}}`))

/** Marks an unknown value; no name may contain it. */
const UNKNOWN = '\0'
/** Characters that people use between the parts of a name. */
const SEPARATORS = '[\\s_\\-–—.,+@#~]*'

/** Removes unknown values from a name, together with their brackets, separators, and an `x` between two of them. */
const withoutUnknown = (name: string): string =>
  name
    .replaceAll(new RegExp(`${UNKNOWN}[^${UNKNOWN}]{0,3}(?=${UNKNOWN})`, 'g'), '')
    .replaceAll(new RegExp(`${SEPARATORS}[([]${SEPARATORS}${UNKNOWN}${SEPARATORS}[)\\]]`, 'g'), '')
    .replace(new RegExp(`^${UNKNOWN}${SEPARATORS}`), '')
    .replaceAll(new RegExp(`${SEPARATORS}${UNKNOWN}`, 'g'), '')

/**
 * A portable file name from a template such as `{name}-{counter}.{ext}`. The suffix is added if the template lacks it, since
 * a file without one cannot be opened by double click. Unknown values, such as the width of audio, are left out together
 * with their separators: `{name} ({width}x{height})` becomes just the name.
 */
export function fillTemplate(template: string, parts: NameParts): string {
  const stem = template.endsWith('.{ext}') ? template.slice(0, -'.{ext}'.length) : template
  const fill = (text: string) =>
    text.replace(PLACEHOLDER, (word, key: string) => {
      const value = isField(key) ? fields[key]?.(parts) || UNKNOWN : word
      // A slash in a value would cut off everything before it.
      return value.replaceAll(/[\\/]/g, '_')
    })
  const filled = withoutUnknown(fill(stem))
  const hasExtension = template.includes('{ext}') && stem === template
  return portableName(hasExtension || parts.ext === '' ? filled : `${filled || parts.name}.${parts.ext}`)
}
