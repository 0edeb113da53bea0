/** Breaks cycles in Word files, in which LibreOffice would go round until its stack is full. */

/** A style, its properties and, if it has one, the style on which it is based: ECMA-376 part 1, 17.7.4.17 and 17.7.4.3. */
const STYLE = /<(?:\w+:)?style\s[^>]*\bstyleId=["']([^"']*)["'][^>]*>(?:(?!<\/(?:\w+:)?style>).)*/gs
const BASED_ON = /<(?:\w+:)?basedOn\s[^>]*\bval=["']([^"']*)["'][^>]*>/

/**
 * Takes the base from one style of each cycle.
 * @param xml the part of styles
 * @returns undefined if no style is based on itself
 */
export function withoutStyleCycles(xml: string): string | undefined {
  const bases = new Map(
    Array.from(xml.matchAll(STYLE), ([style, id = '']) => [id, BASED_ON.exec(style)?.[1]] as const),
  )
  const broken = new Set<string>()
  const done = new Set<string>()
  for (const start of bases.keys()) {
    const path = new Set<string>()
    for (let id: string | undefined = start; id !== undefined && !done.has(id); id = bases.get(id)) {
      path.add(id)
      if (path.has(bases.get(id) ?? '')) broken.add(id)
      done.add(id)
    }
  }
  if (broken.size === 0) return undefined
  return xml.replace(STYLE, (style, id: string) => (broken.has(id) ? style.replace(BASED_ON, '') : style))
}

/** Leaves out links of the main part to itself, such as a header that is the document: ECMA-376 part 2, 9.3. */
export const withoutLinksToItself = (links: string): string =>
  links.replace(/<Relationship\s[^<>]*\bTarget=["'](?:\/word\/|\.\/)?document\d*\.xml["'][^<>]*>/g, '')
