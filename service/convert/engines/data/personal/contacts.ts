/** Contacts (vCard 2.1, 3.0 and 4.0) as tables with the columns of Google or Outlook, and back as vCard 3.0. */
import type { DataTable } from '../values.ts'
import names from './columns.json' with { type: 'json' }
import { dayOf, isDayFirst, lower, type Row, rowsOfTables, tableOfRows, type Written } from './columns.ts'
import { type ContentLine, componentsOf, escaped, partsOf, textOfValue, written } from './content-lines.ts'

/** Texts by Google's names of columns, and what there may be several of: a kind such as `Phone`, and a label such as `Mobile`. */
type Contact = { texts: Row; lists: Entry[] }
type Entry = { kind: string; label: string; parts: Row }

const known = names.contacts
const texts = Object.entries(known.texts)
const properties = new Map(Object.entries(known.properties))
const types: Record<string, string> = known.types
const partNames = new Map(Object.entries<string[]>(known.lists))
const outlook = Object.entries(known.outlook).map(([column, meaning]) => [column, ...meaning.split('|')])
const own = known.columns.map(name => [name, name] as const)
const meanings = new Map(
  [...Object.entries(known.outlook), ...own, ...Object.entries(known.others)].map(lower),
)
/** Nobody has more telephones, addresses and so on. */
const MOST_ENTRIES = 1000

/**
 * @returns contacts in Google's columns or Outlook's, how many pictures and sounds are left out, and columns that Outlook has no place for
 * @throws DataError
 */
export function readContacts(text: string, name: string, layout: 'google' | 'outlook') {
  const cards = [...componentsOf(text).flatMap(({ kind, lines }) => (kind === 'VCARD' ? [lines] : []))]
  const media = cards.flat().filter(line => /^(?:PHOTO|LOGO|SOUND|KEY)$/.test(line.name) && line.value).length
  const contacts = cards.map(contactOf)
  const left = new Set<string>()
  const rows = contacts.map(contact => (layout === 'google' ? googleRow(contact) : outlookRow(contact, left)))
  const most = contacts.reduce((count, { lists }) => Math.max(count, lists.length), 0)
  const numbered = Array.from(partNames, ([kind, parts]) =>
    Array.from({ length: most }, (_, at) => ['Label', ...parts].map(part => `${kind} ${at + 1} - ${part}`)),
  )
  const order = layout === 'google' ? [...known.columns, ...numbered.flat(2)] : Object.keys(known.outlook)
  return { table: tableOfRows(name, rows, order, layout === 'google' ? 3 : 5), media, left: [...left] }
}

function contactOf(lines: readonly ContentLine[]): Contact {
  const found: Row = new Map()
  const put = (columns: readonly string[], values: readonly string[]) => {
    for (const [at, column] of columns.entries()) if (values[at]) found.set(column, values[at])
  }
  const of = (name: string) => lines.filter(line => line.name === name)
  for (const [name, column] of texts) for (const { value } of of(name)) put([column], [plainOf(name, value)])
  for (const { value } of of('N')) put(known.name, partsOf(value, ';'))
  for (const { value } of of('ORG')) put(known.company, partsOf(value, ';'))
  for (const { value } of of('CATEGORIES')) put(['Labels'], [partsOf(value, ',').join(' ::: ')])
  const full = textOfValue(of('FN')[0]?.value ?? '')
  const isNamed = found.has('First Name') || found.has('Last Name')
  if (!isNamed && full !== found.get('Organization Name')) put(['First Name'], [full])
  const given = of('X-ABLABEL').map(
    ({ group, value }) => [group, value.replace(/^_\$!<|>!\$_$/g, '')] as const,
  )
  const labels = new Map(given)
  const lists: Entry[] = []
  for (const { name, group, parameters, value } of lines) {
    const [kind = '', label] = properties.get(name)?.split('|') ?? []
    const values = kind === 'Address' ? partsOf(value, ';') : [plainOf(name, value)]
    const parts = (partNames.get(kind) ?? []).map((part, at) => [part, values[at] ?? ''] as const)
    const entry = {
      kind,
      label: label ?? labels.get(group),
      parts: new Map(parts.filter(([, text]) => text)),
    }
    const marks = new Set(parameters.get('TYPE')?.flatMap(type => type.toUpperCase().split(',')))
    const words = Object.entries(types).flatMap(([type, word]) => (marks.has(type) ? word : []))
    entry.label ??= words.slice(marks.has('FAX') ? -2 : -1).join(' ')
    const isFirst = marks.has('PREF') || parameters.get('PREF')?.[0] === '1'
    if (entry.parts.size > 0 && lists.length < MOST_ENTRIES)
      lists[isFirst ? 'unshift' : 'push'](entry as Entry)
  }
  return { texts: found, lists }
}

/** Dates in ISO 8601; `--04-15` is a day without a year, as is that of 1604 in Apple's. */
const plainOf = (name: string, value: string) =>
  /DAY$|DATE$|ANNIV/.test(name)
    ? (dayOf(value) ?? value.trim())
        .replace(/^1604|^--(?=\d{4}$)/, '-')
        .replace(/^--?(\d\d)-?(\d\d)$/, '--$1-$2')
    : textOfValue(value).replace(/^(?:tel|mailto):/i, '')

function googleRow({ texts: row, lists }: Contact): Row {
  const counts = new Map<string, number>()
  for (const { kind, label, parts } of lists) {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    if (label) row.set(`${kind} ${count} - Label`, label)
    for (const [part, value] of parts) row.set(`${kind} ${count} - ${part}`, value)
  }
  return row
}

function outlookRow({ texts: given, lists }: Contact, left: Set<string>): Row {
  const row: Row = new Map()
  const put = (kind: string, value: string, part?: string, label?: string) => {
    const free = outlook.filter(each => each[1] === kind && each[3] === part && !row.has(each[0]!))
    const place = free.find(each => each[2] === label) ?? free.find(each => each[2] === '')
    if (place) row.set(place[0]!, value)
    else left.add(label ? `${kind} (${label})` : kind)
  }
  for (const [column, value] of given) put(column, value)
  for (const { kind, label, parts } of lists) for (const [part, value] of parts) put(kind, value, part, label)
  return row
}

/** @returns nothing if no row has what names a contact */
export function writeContacts(tables: readonly DataTable[]): Written | undefined {
  const { rows, unknown } = rowsOfTables(tables, (name, index, all) => {
    const [, kind, number, part] =
      /^([a-z -]+?) (\d+) - ([a-z -]+)$/.exec(name.replace(/type$/, 'label')) ?? []
    const list = [...partNames.keys()].find(each => each.toLowerCase() === kind) ?? ''
    const named = ['Label', ...(partNames.get(list) ?? [])].find(each => each.toLowerCase() === part)
    if (list && named) return `${list}||${named}|#${number}`
    // Without suffixes of names beside them, titles are those of people's work.
    if (name === 'title' && !all.includes('suffix')) return 'Organization Title'
    const meaning = meanings.get(name)
    // Columns of an address belong together, unlike several telephones.
    return meaning?.includes('|') ? `${meaning}|${/^Address/.test(meaning) ? '' : index}` : meaning
  })
  const dayFirst = isDayFirst(rows.flatMap(row => row.get('Birthday') ?? []))
  const cards = rows.flatMap(row => cardOf(row, dayFirst))
  return cards.length > 0 ? { text: written(cards), unknown } : undefined
}

function cardOf(row: Row, dayFirst: boolean): string[] {
  const entries = new Map<string, Entry>()
  for (const [meaning, value] of row) {
    const [kind = '', label = '', part, id] = meaning.split('|')
    if (part === undefined) continue
    const key = `${kind}|${label}|${id}`
    const entry = entries.get(key) ?? { kind, label, parts: new Map() }
    // Google marks the first of several so.
    if (part === 'Label') entry.label = value.replace(/^\* /, '')
    entries.set(key, { ...entry, parts: part === 'Label' ? entry.parts : entry.parts.set(part, value) })
  }
  const lists = [...entries.values()].filter(({ parts }) => parts.size > 0)
  const full = row.get('File As') ?? ''
  const [last = '', first = ''] = full.includes(',')
    ? full.split(/,\s*/)
    : full.split(/\s+(?=\S+$)/).reverse()
  const isNamed = row.has('First Name') || row.has('Last Name')
  const person: Row = isNamed ? row : new Map([...row, ['First Name', first], ['Last Name', last]])
  const of = (column: string) => person.get(column) ?? ''
  const shown = [3, 1, 2, 0, 4].flatMap(at => of(known.name[at]!) || []).join(' ')
  const name = shown || of('Organization Name') || lists[0]?.parts.get('Value')
  if (!name) return []
  person.set('Birthday', dayOf(of('Birthday'), dayFirst) ?? of('Birthday'))
  const labels = of('Labels').split(/ ::: |;/)
  return [
    ...['BEGIN:VCARD', 'VERSION:3.0', `FN:${escaped(name)}`],
    `N:${known.name.map(column => escaped(of(column))).join(';')}`,
    `ORG:${known.company.map(column => escaped(of(column))).join(';')}`,
    `CATEGORIES:${labels.map(label => escaped(label.trim())).join()}`,
    ...texts.map(([property, column]) => `${property}:${escaped(of(column))}`),
    ...lists.flatMap((entry, at) => entryLines(entry, at + 1)),
    'END:VCARD',
  ].filter(line => !/^[A-Z-]+:;?$/.test(line))
}

/** The types of a telephone and the like; other labels stand beside it, as Apple and Google have them. */
function entryLines({ kind, label, parts }: Entry, number: number): string[] {
  const words = label.split(' ').map(word => Object.keys(types).find(type => types[type] === word))
  const isTyped = /^(?:E-mail|Phone|Address|Website)$/.test(kind) && words.every(Boolean)
  const isOwn = properties.get(label) === `${kind}|${label}`
  const property = isOwn ? label : ([...properties].find(([, each]) => each === kind)?.[0] ?? 'NOTE')
  const address = known.lists.Address.slice(0, 7).map(part => escaped(parts.get(part) ?? ''))
  if (kind === 'Address' && !address.some(Boolean)) address[2] = escaped(parts.get('Formatted') ?? '')
  const values = (parts.get('Value') ?? '').split(' ::: ').map(each => escaped(each, property))
  return (kind === 'Address' ? [address.join(';')] : values).flatMap((value, at) => {
    if (isOwn || isTyped || !label) return `${property}${isTyped ? `;TYPE=${words.join()}` : ''}:${value}`
    const group = `item${number}${'x'.repeat(at)}`
    return [`${group}.${property}:${value}`, `${group}.X-ABLabel:${escaped(label)}`]
  })
}
