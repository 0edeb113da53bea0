/** Maximum nesting of entities within entities. */
const MAX_DEPTH = 8
/** Maximum size of the text that entities of one document add to it. */
const MAX_ADDED = 1 << 20
/** Maximum number of characters before and within the declarations of a document. */
const MAX_HEAD = 1 << 16

const declaration =
  /<!--[\s\S]*?-->|<!ENTITY\s+([A-Za-z_][\w.-]*)\s+(?:"([^"]*)"|'([^']*)')\s*>|"[^"]*"|'[^']*'|\]\s*>/g
const reference = /&([A-Za-z_][\w.-]*);/g

/**
 * Replaces references to the entities that a document declares itself, as SVG documents by Adobe Illustrator do for their
 * namespaces (https://www.w3.org/TR/xml/#sec-internal-ent). External entities stay unresolved, and so do references
 * beyond the maximum nesting and size, for which `exceeded` is called.
 * @returns the text without the declarations; the same text if it has none
 */
export function withOwnEntities(text: string, exceeded?: () => void): string {
  const head = text.slice(0, MAX_HEAD)
  const doctype = /<!DOCTYPE\s[^[>]*\[/.exec(head)
  if (!doctype) return text
  const entities = new Map<string, string>()
  let end = -1
  declaration.lastIndex = doctype.index + doctype[0].length
  for (let found = declaration.exec(head); found && end < 0; found = declaration.exec(head)) {
    const [token, name, double, single] = found
    const value = double ?? single
    if (token.startsWith(']')) end = found.index + token.length
    // The first declaration of a name counts.
    else if (name !== undefined && value !== undefined && !entities.has(name)) entities.set(name, value)
  }
  if (end < 0) return text
  let room = MAX_ADDED
  const replaced = (part: string, depth: number): string =>
    part.replace(reference, (whole, name: string) => {
      const value = entities.get(name)
      if (value === undefined) return whole
      if (depth > MAX_DEPTH || value.length > room) {
        exceeded?.()
        return whole
      }
      room -= value.length
      const inner = replaced(value, depth + 1)
      // A quotation mark must not end the attribute in which the reference is.
      return inner.includes('<') ? inner : inner.replaceAll('"', '&quot;').replaceAll("'", '&apos;')
    })
  const beforeDeclarations = text.slice(0, doctype.index + doctype[0].length - 1)
  return `${beforeDeclarations}>${replaced(text.slice(end), 1)}`
}
