/** Time zones of calendars (VTIMEZONE, RFC 5545, 3.6.5), with the rules that Node knows of IANA's. */

export const DAY = 86_400_000
const MINUTE = 60_000
/** Appointments that repeat for ever are planned for no longer. */
const YEARS = 30
/** Years have four digits, in every zone. */
const [FIRST, LAST] = [Date.parse('0001-01-02'), Date.parse('9999-12-01')]

const formats = new Map<string, Intl.DateTimeFormat>()
/** The time in a zone of IANA's at an instant, both in milliseconds, as if the zone were UTC; of other names, undefined. */
export function timeIn(timeZone: string, instant: number): number | undefined {
  try {
    // Sweden writes ISO 8601.
    const options = { timeZone, dateStyle: 'short', timeStyle: 'medium' } as const
    const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', options)
    formats.set(timeZone, format)
    return Date.parse(`${format.format(instant).replace(' ', 'T').padStart(19, '0')}Z`)
  } catch {
    return undefined
  }
}

/** Describes each zone that lines of content name, from the day before the first time in it. */
export function zonesOf(lines: readonly string[]): string[] {
  const first = new Map<string, number>()
  for (const [, zone, ...day] of lines.join('\n').matchAll(/;TZID=([^:;]+):(\d{4})(\d\d)(\d\d)/g)) {
    const time = Math.max(FIRST, Date.parse(day.join('-')) - DAY)
    if (time < (first.get(zone!) ?? Infinity)) first.set(zone!, time)
  }
  return [...first].flatMap(([zone, since]) =>
    timeIn(zone, since) === undefined ? [] : rulesOf(zone, since),
  )
}

function rulesOf(zone: string, since: number): string[] {
  const offsetAt = (instant: number) => timeIn(zone, instant)! - instant
  let offset = offsetAt(since)
  const changes = [{ at: since, from: offset, to: offset }]
  const until = Math.min(LAST, since + YEARS * 365 * DAY)
  for (let week = since; week < until; week += 7 * DAY) {
    let [before, after] = [week, week + 7 * DAY]
    const to = offsetAt(after)
    if (to === offset) continue
    while (after - before > MINUTE) {
      const between = before + Math.floor((after - before) / 2 / MINUTE) * MINUTE
      if (offsetAt(between) === offset) before = between
      else after = between
    }
    changes.push({ at: after, from: offset, to })
    offset = to
  }
  // When a change comes is told by the clocks before it.
  const byOffsets = Map.groupBy(
    changes,
    ({ from, to }) => `TZOFFSETFROM:${signed(from)}\nTZOFFSETTO:${signed(to)}`,
  )
  const observances = [...byOffsets].flatMap(([offsets, [start, ...others]]) => {
    const kind = start!.to > start!.from ? 'DAYLIGHT' : 'STANDARD'
    const repeated = others.map(change => `RDATE:${dateTime(change.at + change.from)}`)
    return [
      `BEGIN:${kind}`,
      `DTSTART:${dateTime(start!.at + start!.from)}`,
      ...offsets.split('\n'),
      ...repeated,
      `END:${kind}`,
    ]
  })
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...observances, 'END:VTIMEZONE']
}

/** A time in milliseconds, such as `20260329T020000`. */
export const dateTime = (time: number): string => new Date(time).toISOString().replace(/[-:]|\.\d+Z/g, '')

/** Hours and minutes from UTC, such as `+0530`. */
function signed(offset: number): string {
  const minutes = Math.abs(offset) / MINUTE
  const digits = [minutes / 60, minutes % 60].map(part => String(Math.floor(part)).padStart(2, '0'))
  return `${offset < 0 ? '-' : '+'}${digits.join('')}`
}
