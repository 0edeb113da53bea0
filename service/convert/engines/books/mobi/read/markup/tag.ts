/** An attribute of a tag as it is written; undefined if the tag has none. */
export function attributeIn(tag: string, name: string): string | undefined {
  const pattern = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i')
  const [, double, single, plain] = pattern.exec(tag) ?? []
  return double ?? single ?? plain
}
