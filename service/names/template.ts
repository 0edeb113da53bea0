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
  /** Milliseconds since 1970; written as the local date. */
  date: number
  /** Request key of the target. */
  target: string
}

const fields = {
  name: ({ name }) => name,
  ext: ({ ext }) => ext,
  counter: ({ counter, total }) => String(counter).padStart(String(total).length, '0'),
  date: ({ date }) => localDate(new Date(date)),
  target: ({ target }) => target,
} satisfies Record<string, (parts: NameParts) => string>

const isField = (word: string): word is keyof typeof fields => Object.hasOwn(fields, word)

const localDate = (date: Date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map(number => String(number).padStart(2, '0'))
    .join('-')

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

/**
 * A portable file name from a template such as `{name}-{counter}.{ext}`; the suffix is added where the template does not
 * say it, since a file without one opens nowhere.
 */
export function fillTemplate(template: string, parts: NameParts): string {
  const whole = template.includes('{ext}') ? template : `${template}.{ext}`
  const filled = whole.replace(PLACEHOLDER, (text, word: string) => {
    // A slash in a value would cut off what stands before it.
    return isField(word) ? fields[word](parts).replaceAll(/[\\/]/g, '_') : text
  })
  return portableName(filled)
}
