import { readFileSync } from 'node:fs'

/**
 * Keys of messages that no source says, be it whole or by the beginning of a key that is put together.
 * @param sources paths of the sources
 * @param beginning finds such a beginning, as its first group
 */
export function unusedKeys(messages: object, sources: readonly string[], beginning: RegExp): string[] {
  const source = sources.map(path => readFileSync(path, 'utf8')).join()
  const groups = [...source.matchAll(beginning)].map(([, group = '']) => group)
  const isUsed = (key: string) => source.includes(`'${key}'`) || groups.some(group => key.startsWith(group))
  return Object.keys(messages).filter(key => !isUsed(key))
}
