import { portableName } from './names.ts'

/** What a template of file names can name. */
export interface NameParts {
  /** The input's name without its suffix. */
  name: string
  /** The output's suffix without the dot. */
  ext: string
  /** Place of the file in its batch, from 1. */
  counter: number
  /** How many files the batch has: counters are padded so that they sort. */
  total: number
  /** Milliseconds since 1970; written as the local date, and as the local time. */
  date: number
  /** Format key of the input. */
  source: string
  /** Request key of the target. */
  target: string
  /** Name of the preset that the options came from; undefined without one. */
  preset?: string | undefined
  /** Pixels of the output; undefined where it has none. */
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

/** Numbers of two digits at least, with what a file name may hold between them. */
const dashed = (numbers: number[]) => numbers.map(number => String(number).padStart(2, '0')).join('-')

const localDate = (date: Date) => dashed([date.getFullYear(), date.getMonth() + 1, date.getDate()])

const localTime = (date: Date) => dashed([date.getHours(), date.getMinutes(), date.getSeconds()])

const PLACEHOLDER = /\{([^{}]*)\}/g

/** What is wrong with a template, if anything is. */
export type TemplateProblem = { kind: 'folder' } | { kind: 'unknown'; word: string }

/** Looks for what cannot become a file name. */
export function templateProblem(template: string): TemplateProblem | undefined {
  if (/[\\/]/.test(template)) return { kind: 'folder' }
  for (const [, word = ''] of template.matchAll(PLACEHOLDER)) {
    if (!isField(word)) return { kind: 'unknown', word }
  }
  return undefined
}

/** Whether a template names one of these. */
export const names = (template: string, ...words: string[]): boolean =>
  words.some(word => template.includes(`{${word}}`))

/** Stands for a value that is not known; no name may hold it. */
const UNKNOWN = '\0'
/** What people write between the parts of a name. */
const SEPARATORS = '[\\s_\\-–—.,+@#~]*'

/** Takes unknown values out of a name, and with them what would lead to nothing: brackets, separators, an `x` between two. */
const withoutUnknown = (name: string): string =>
  name
    .replaceAll(new RegExp(`${UNKNOWN}[^${UNKNOWN}]{0,3}(?=${UNKNOWN})`, 'g'), '')
    .replaceAll(new RegExp(`${SEPARATORS}[([]${SEPARATORS}${UNKNOWN}${SEPARATORS}[)\\]]`, 'g'), '')
    .replace(new RegExp(`^${UNKNOWN}${SEPARATORS}`), '')
    .replaceAll(new RegExp(`${SEPARATORS}${UNKNOWN}`, 'g'), '')

/**
 * A portable file name from a template such as `{name}-{counter}.{ext}`; the suffix is added where the template does not
 * say it, since a file without one opens nowhere. What is not known, such as the width of a sound, is left out together with
 * what separates it: `{name} ({width}x{height})` becomes the name alone.
 */
export function fillTemplate(template: string, parts: NameParts): string {
  const stem = template.endsWith('.{ext}') ? template.slice(0, -'.{ext}'.length) : template
  const fill = (text: string) =>
    text.replace(PLACEHOLDER, (word, key: string) => {
      const value = isField(key) ? fields[key]?.(parts) || UNKNOWN : word
      // A slash in a value would cut off what stands before it.
      return value.replaceAll(/[\\/]/g, '_')
    })
  const filled = withoutUnknown(fill(stem))
  const said = template.includes('{ext}') && stem === template
  return portableName(said || parts.ext === '' ? filled : `${filled || parts.name}.${parts.ext}`)
}
