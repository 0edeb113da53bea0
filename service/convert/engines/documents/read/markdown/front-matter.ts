/** The metadata at the start of a document. */
export interface FrontMatter {
  title?: string | undefined
  subtitle?: string | undefined
  authors: string[]
  /** As it was written. */
  date?: string | undefined
  /** Language tag, such as `de` or `pt-BR`. */
  language?: string | undefined
  keywords: string[]
  description?: string | undefined
}

type Fields = Record<string, string[]>

/**
 * Splits YAML (between lines of `---`) or TOML (between lines of `+++`) from the text that follows. YAML allows far more; only
 * single values, quoted ones, lists in both forms, and text blocks are read.
 */
export function splitFrontMatter(text: string): { front: FrontMatter; body: string } {
  const match = /^(---|\+\+\+)[ \t]*\n([\s\S]*?)\n(?:\1|\.\.\.)[ \t]*(?:\n|$)/.exec(text)
  const lines = match?.[2]?.split('\n') ?? []
  // Text between two horizontal rules is not front matter.
  const first = lines.find(line => line.trim() !== '' && !line.startsWith('#'))
  if (!match || !first || !/^["']?[\w.-]+["']?\s*[:=](?:\s|$)/.test(first)) {
    return { front: { authors: [], keywords: [] }, body: text }
  }
  const fields = match[1] === '---' ? yaml(lines) : toml(lines)
  const one = (...keys: string[]) => keys.map(key => fields[key]?.[0]).find(value => value)
  const several = (...keys: string[]) => keys.flatMap(key => fields[key] ?? []).filter(Boolean)
  return {
    front: {
      title: one('title'),
      subtitle: one('subtitle'),
      authors: several('author', 'authors'),
      date: one('date'),
      language: one('lang', 'language', 'locale'),
      keywords: several('keywords', 'tags'),
      description: one('description', 'summary', 'abstract'),
    },
    body: text.slice(match[0].length),
  }
}

function yaml(lines: string[]): Fields {
  const fields: Fields = {}
  let key = ''
  let block: 'folded' | 'kept' | undefined
  for (const line of lines) {
    const top = /^["']?([\w.-]+)["']?\s*:(?:\s+(.*))?$/.exec(line)
    const inner = line.trim()
    if (top && !/^\s/.test(line)) {
      key = top[1]!.toLowerCase()
      const value = (top[2] ?? '').trim()
      block = /^[|>][+-]?$/.test(value) ? (value.startsWith('|') ? 'kept' : 'folded') : undefined
      fields[key] = block || value === '' ? [] : valuesOf(value)
    } else if (key === '' || inner === '') {
      // A line that belongs to no field.
    } else if (block) {
      const text = fields[key]?.[0]
      fields[key] = [text ? text + (block === 'kept' ? '\n' : ' ') + inner : inner]
    } else if (/^-\s+/.test(inner)) {
      // If an item has several parts, such as an author's name and e-mail, the name is used.
      const value = inner.replace(/^-\s+/, '').replace(/^name\s*:\s*/i, '')
      if (!/^\w+\s*:\s/.test(value)) fields[key]?.push(...valuesOf(value))
    } else if (/^name\s*:/i.test(inner)) {
      fields[key]?.push(...valuesOf(inner.replace(/^name\s*:\s*/i, '')))
    } else if (fields[key]?.length === 1 && !/^\w+\s*:(?:\s|$)/.test(inner)) {
      // A plain value that continues on the next line.
      fields[key] = [`${fields[key]?.[0]} ${inner}`]
    }
  }
  return fields
}

function toml(lines: string[]): Fields {
  const fields: Fields = {}
  for (const line of lines) {
    const match = /^([\w.-]+)\s*=\s*(.+)$/.exec(line)
    if (match) fields[match[1]!.toLowerCase()] = valuesOf(match[2]!.trim())
  }
  return fields
}

function valuesOf(value: string): string[] {
  const list = /^\[(.*)\]$/.exec(value)
  if (!list) return [unquoted(value)].filter(text => text !== '' && text !== 'null' && text !== '~')
  const items = list[1]!.match(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,]+/g) ?? []
  return items.map(item => unquoted(item.trim())).filter(Boolean)
}

function unquoted(value: string): string {
  const double = /^"((?:[^"\\]|\\.)*)"/.exec(value)
  if (double) return double[1]!.replace(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign))
  const single = /^'((?:[^']|'')*)'/.exec(value)
  if (single) return single[1]!.replaceAll("''", "'")
  return value.replace(/\s+#.*$/, '').trim()
}
