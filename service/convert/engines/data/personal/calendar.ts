/** Calendars (iCalendar, RFC 5545) as tables with the columns that Google and Outlook import, and back. */
import { hash } from 'node:crypto'
import { DataError, type DataTable } from '../values.ts'
import names from './columns.json' with { type: 'json' }
import { dayOf, isDayFirst, lower, type Row, rowsOfTables, tableOfRows, type Written } from './columns.ts'
import { type ContentLine, componentsOf, escaped, partsOf, textOfValue, written } from './content-lines.ts'
import { DAY, dateTime, timeIn, zonesOf } from './zones.ts'

const { columns, others, ...properties } = names.calendar
const times = Object.entries(properties.times)
const texts = Object.entries(properties.texts)
const lists = Object.entries(properties.lists)
const meanings = new Map(
  [...columns.map(name => [name, name] as const), ...Object.entries(others)].map(lower),
)
/** Google's, and whether it is private. */
const ALWAYS = 9

const UNITS: Record<string, number> = { W: 7 * DAY, D: DAY, H: DAY / 24, M: DAY / 1440, S: 1000 }
const REPEATED = /^(?:RRULE|RDATE|EXDATE|EXRULE|RECURRENCE-ID)(?=[;:])/
const isTrue = (text = '') => /^(?:true|yes|1)$/i.test(text)

/** A table of events and tasks, in the times of their zones; those in UTC are in the zone that the calendar names. @throws DataError */
export function readCalendar(text: string, name: string): DataTable {
  const components = [...componentsOf(text)]
  const head = components.flatMap(({ kind, lines }) => (kind === 'VCALENDAR' ? lines : []))
  const zone = head.find(line => line.name === 'X-WR-TIMEZONE')?.value.trim() ?? 'UTC'
  const rows = components.flatMap(({ kind, lines }) =>
    /^V(?:EVENT|TODO)$/.test(kind) ? rowOf(lines, zone) : [],
  )
  return tableOfRows(name, rows, columns, ALWAYS)
}

function rowOf(lines: readonly ContentLine[], calendarZone: string): Row {
  const row: Row = new Map()
  const add = (column: string, value: string, separator = ';') =>
    value && row.set(column, [row.get(column) ?? [], value].flat().join(separator))
  const of = (name: string) => lines.filter(line => line.name === name)
  for (const [name, column] of texts) for (const { value } of of(name)) add(column, textOfValue(value), '\n')
  for (const [name, column] of lists)
    for (const { value } of of(name))
      add(
        column,
        partsOf(value, ',')
          .join(';')
          .replace(/^mailto:/i, ''),
      )
  for (const { value } of of('CLASS')) row.set('Private', value === 'PUBLIC' ? 'False' : 'True')
  for (const { name, value, parameters } of lines) {
    const given = Array.from(parameters, ([key, values]) => `;${key}=${values.join()}`).join('')
    if (REPEATED.test(`${name}:`)) add('Recurrence', `${name}${given}:${value}`, '\n')
  }
  const found = times.flatMap(([name, column]) =>
    of(name).flatMap(line => timeOf(line, column, calendarZone) ?? []),
  )
  const start = found.find(({ column }) => column === 'Start')
  const parts = [...(of('DURATION')[0]?.value.matchAll(/(\d{1,6})([WDHMS])/g) ?? [])]
  const sum = parts.reduce((before, [, count, unit]) => before + Number(count) * UNITS[unit!]!, 0)
  if (start && sum) found.push({ ...start, column: 'End', time: start.time + sum })
  for (const { column, time, zone, isDay } of found) {
    // Days end with the one after the last.
    const isAfter = column === 'End' && isDay && time > (start?.time ?? time)
    const iso = new Date(isAfter ? time - DAY : time).toISOString()
    row.set(`${column} Date`, iso.slice(0, 10))
    if (!isDay) row.set(`${column} Time`, iso.slice(11, 19))
    if (zone && (column === 'Start' || !start)) row.set('Time Zone', zone)
  }
  return row.set('All Day Event', start?.isDay ? 'True' : 'False')
}

/** A time in milliseconds, as if its zone were UTC. No zone is the same time of the clock everywhere. */
function timeOf({ parameters, value }: ContentLine, column: string, calendarZone: string) {
  const [, clock, utc] = /T(\d\d:?\d\d(?::?\d\d)?)(Z?)/i.exec(value) ?? []
  const [hours = '00', minutes = '00', seconds = '00'] = clock?.match(/\d\d/g) ?? []
  const time = Date.parse(`${dayOf(value.trim())}T${hours}:${minutes}:${seconds}Z`)
  if (Number.isNaN(time)) return undefined
  const local = utc ? timeIn(calendarZone, time) : undefined
  const zone = utc ? (local === undefined ? 'UTC' : calendarZone) : clock && parameters.get('TZID')?.[0]
  return { column, time: local ?? time, zone, isDay: !clock }
}

/** A calendar of tables; rows with a due date and no start are tasks. @returns nothing if they have no dates @throws DataError */
export function writeCalendar(tables: readonly DataTable[]): Written | undefined {
  const { rows, unknown } = rowsOfTables(tables, name => meanings.get(name))
  const dates = rows.flatMap(row => [...row].flatMap(([name, text]) => (/ Date$/.test(name) ? text : [])))
  if (dates.length === 0) return undefined
  const dayFirst = isDayFirst(dates)
  const stamp = `DTSTAMP:${dateTime(Date.now())}Z`
  const entries = rows.flatMap((row, index) => {
    if (row.size === 0) return []
    const kind = !row.has('Start Date') && row.has('Due Date') ? 'VTODO' : 'VEVENT'
    return [`BEGIN:${kind}`, stamp, ...linesOf(row, dayFirst, index), `END:${kind}`]
  })
  const head = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Refile//Refile//EN']
  return { text: written([...head, ...zonesOf(entries), ...entries, 'END:VCALENDAR']), unknown }
}

function linesOf(row: Row, dayFirst: boolean, index: number): string[] {
  const digest = hash('sha256', JSON.stringify([index, ...row]))
  const own: Row = new Map([['UID', `${digest.slice(0, 32)}@refile`], ...row])
  const listed = (name: string, column: string) =>
    (own.get(column) ?? '').split(/[;\n]/).map(each => valueOfList(name, each.trim()))
  return [
    ...texts.flatMap(([name, column]) =>
      own.has(column) ? `${name}:${escaped(own.get(column)!, name)}` : [],
    ),
    ...times.flatMap(([name, column]) => timeLine(own, name, column, dayFirst, index + 2)),
    ...lists.flatMap(([name, column]) =>
      listed(name, column).flatMap(value => (value ? `${name}:${value}` : [])),
    ),
    ...(isTrue(own.get('Private')) ? ['CLASS:PRIVATE'] : []),
    ...rulesOf(own),
  ]
}

/** People have addresses. */
const valueOfList = (name: string, text: string) =>
  name === 'CATEGORIES' ? escaped(text) : /^[^\s:@]+@[^\s:@]+$/.test(text) && `mailto:${text}`

const rulesOf = (row: Row) => (row.get('Recurrence') ?? '').split('\n').filter(rule => REPEATED.test(rule))

/** What repeats is in its zone, other times in UTC. @throws DataError of what is no date */
function timeLine(row: Row, name: string, column: string, dayFirst: boolean, line: number): string[] {
  const date = row.get(`${column} Date`)
  if (!date) return []
  const day = dayOf(date, dayFirst)
  if (!day) throw new DataError(`No date: ${date}`, line)
  const clock = row.get(`${column} Time`) ?? date.slice(8)
  const [, hour, minute, second = '00', half] =
    /(?:^|[\sT])([01]?\d|2[0-3])[:.]([0-5]\d)(?:[:.]([0-5]\d))?\s*([ap])?/i.exec(clock) ?? []
  if (!hour || isTrue(row.get('All Day Event'))) {
    // Outlook's days end at the midnight after the last, Google's with the last.
    const isLast = column === 'End' && !(/^(?:12|0?0):00/.test(clock) && date !== row.get('Start Date'))
    const end = new Date(Date.parse(day) + (isLast ? DAY : 0)).toISOString()
    return [`${name};VALUE=DATE:${end.slice(0, 10).replaceAll('-', '')}`]
  }
  const hours = half ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hour)
  const time = Date.parse(`${day}T${String(hours).padStart(2, '0')}:${minute}:${second}Z`)
  const zone = row.get('Time Zone') ?? ''
  const shifted = timeIn(zone, time)
  if (shifted === undefined) return [`${name}:${dateTime(time)}`]
  if (rulesOf(row).length > 0 && zone !== 'UTC') return [`${name};TZID=${zone}:${dateTime(time)}`]
  const near = time - (shifted - time)
  return [`${name}:${dateTime(near + time - timeIn(zone, near)!)}Z`]
}
