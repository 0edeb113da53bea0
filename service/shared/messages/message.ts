import type { catalogue } from './en/index.ts'

type Catalogue = typeof catalogue

/** Key of a message, such as `picture.damaged`. */
export type MessageKey = keyof Catalogue

type Value = string | number

/** Names between braces in an ICU message; plural branches contain `#` or a space and are not names. */
type Names<Text extends string> = Text extends `${string}{${infer Inner}}${infer Rest}`
  ? FirstWord<Inner> | Names<Rest>
  : never
type FirstWord<Inner extends string> = Inner extends `${infer Name},${string}`
  ? Name
  : Inner extends `${string}${' ' | '#' | '{'}${string}`
    ? never
    : Inner

/** The parameters of an ICU message, as the rest of an argument list. */
export type Parameters<Text extends string> =
  Names<Text> extends never ? [] : [parameters: Record<Names<Text>, Value>]

/** Keys of messages without parameters. */
export type PlainKey = { [Key in MessageKey]: Names<Catalogue[Key]> extends never ? Key : never }[MessageKey]

/**
 * A message for people, as a key with parameters: stored and sent like this, and turned into words where it is shown.
 */
export interface Message {
  key: MessageKey
  parameters?: Record<string, Value>
}

/** Creates a message; the compiler checks that it gets the parameters its text needs. */
export function message<Key extends MessageKey>(
  key: Key,
  ...[parameters]: Parameters<Catalogue[Key]>
): Message {
  return parameters ? { key, parameters } : { key }
}
