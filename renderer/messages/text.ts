import { formatIcu, isolate } from '../../languages/icu.ts'
import type { Parameters } from '../../service/shared/messages/message.ts'
import type { en } from './en/index.ts'
import { locale, texts } from './language.ts'

/** Key of a text of the page, such as `convert.dropTitle`. */
export type TextKey = keyof typeof en

/** A text in the language of the page; the compiler checks that it gets the parameters it needs. */
export function text<Key extends TextKey>(key: Key, ...[parameters]: Parameters<(typeof en)[Key]>): string {
  return parameters ? formatIcu(locale(), texts()[key], parameters) : texts()[key]
}

/** A path or a name among other words, whose parts keep their order in every language. */
export const verbatim = (value: string): string => isolate(locale(), value)

/** Facts in one line, in their order in every language; what is missing is left out. */
export const inLine = (facts: readonly (string | null | undefined | false)[]): string =>
  facts.flatMap(fact => (fact ? verbatim(fact) : [])).join(' · ')

/** A text whose key is composed at run time and may not exist, such as the name of a category. */
export function textIfAny(key: string): string | undefined {
  return (texts() as Readonly<Record<string, string>>)[key]
}

export const categoryName = (category: string | null): string =>
  textIfAny(`categories.${category}`) ?? category ?? ''
