import type { catalogue } from './en/index.ts'

type Catalogue = typeof catalogue

/** Name of a sentence the service can say, such as `picture.damaged`. */
export type MessageKey = keyof Catalogue

type Value = string | number

/** Names between braces in an ICU message; the branches of a plural hold `#` or a space and are no names. */
type Names<Text extends string> = Text extends `${string}{${infer Inner}}${infer Rest}`
  ? FirstWord<Inner> | Names<Rest>
  : never
type FirstWord<Inner extends string> = Inner extends `${infer Name},${string}`
  ? Name
  : Inner extends `${string}${' ' | '#' | '{'}${string}`
    ? never
    : Inner

/** The parameters that an ICU message names, as the rest of an argument list. */
export type Parameters<Text extends string> =
  Names<Text> extends never ? [] : [parameters: Record<Names<Text>, Value>]

/** Keys of the sentences that take no parameters. */
export type PlainKey = { [Key in MessageKey]: Names<Catalogue[Key]> extends never ? Key : never }[MessageKey]

/** A sentence for people, as a key with parameters: stored and sent as it is, put into words where it is shown. */
export interface Message {
  key: MessageKey
  parameters?: Record<string, Value>
}

/** A message of the catalogue; the compiler checks that it gets the parameters its text names. */
export function message<Key extends MessageKey>(
  key: Key,
  ...[parameters]: Parameters<Catalogue[Key]>
): Message {
  return parameters ? { key, parameters } : { key }
}
