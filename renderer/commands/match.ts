import type { Command } from './list.ts'

/** Removes case and accents, so that nobody has to type them. */
const plain = (words: string): string => words.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

/**
 * Commands in which every word of the query occurs, in the label, its heading, or its search words. Those whose label
 * begins with the query come first, then those whose label contains all of it.
 */
export function matching<Item extends Pick<Command, 'label' | 'group' | 'words'>>(
  commands: readonly Item[],
  query: string,
): readonly Item[] {
  const wanted = plain(query).trim()
  if (wanted === '') return commands
  const words = wanted.split(/\s+/)
  const ranked = commands.flatMap(command => {
    const label = plain(command.label)
    const all = `${label} ${plain(command.group)} ${plain(command.words ?? '')}`
    if (!words.every(word => all.includes(word))) return []
    return { command, rank: label.startsWith(wanted) ? 0 : words.every(word => label.includes(word)) ? 1 : 2 }
  })
  return ranked.sort((a, b) => a.rank - b.rank).map(({ command }) => command)
}
