import {
  childOf,
  childrenOf,
  elementsOf,
  findIn,
  textOf,
  type XmlElement,
} from '../../../common/xml/element.ts'
import { type Align, type Block, paragraphOf, run, type TableRow } from '../../model.ts'

/** Maximum number of rows and series that are read from a chart. */
const ROW_LIMIT = 2000
const SERIES_LIMIT = 100

interface Series {
  name: string
  /** The chart's cached categories, by index. */
  categories: Map<number, string>
  values: Map<number, string>
}

/**
 * The data of a chart (ECMA-376 part 1, 21.2) as tables below its title: a row for each category, a column for each series.
 * @returns an empty list if the chart contains no data
 */
export function chartBlocks(chartSpace: XmlElement | undefined): Block[] {
  const chart = childOf(chartSpace, 'c:chart')
  const plots = elementsOf(childOf(chart, 'c:plotArea')).filter(({ name }) => /^c:\w+Chart$/.test(name))
  const series = plots
    .flatMap(plot => childrenOf(plot, 'c:ser'))
    .slice(0, SERIES_LIMIT)
    .map(seriesOf)
    .filter(({ values }) => values.size > 0)
  if (series.length === 0) return []
  // Series with the same categories share a table.
  const groups = Map.groupBy(series, ({ categories }) => JSON.stringify([...categories]))
  const title = titleOf(chart)
  return [
    ...(title ? [paragraph(title, 'caption')] : []),
    ...groups.values().map((group): Block => ({ kind: 'table', rows: rowsOf(group) })),
  ]
}

function rowsOf(group: readonly Series[]): TableRow[] {
  const categories = group[0]?.categories ?? new Map<number, string>()
  const last = Math.max(
    -1,
    ...[categories, ...group.map(({ values }) => values)].flatMap(map => [...map.keys()]),
  )
  const rows = Array.from({ length: Math.min(last + 1, ROW_LIMIT) }, (_, index) => [
    categories.get(index) ?? (categories.size > 0 ? '' : String(index + 1)),
    ...group.map(({ values }) => values.get(index) ?? ''),
  ])
  const head = ['', ...group.map(({ name }) => name)]
  return [head, ...rows].map((texts, row) => ({
    isHeader: row === 0,
    cells: texts.map((text, column) => ({
      columns: 1,
      rows: 1,
      blocks: [paragraph(text, 'text', row > 0 && column > 0 ? 'right' : undefined)],
    })),
  }))
}

const paragraph = (text: string, role: 'text' | 'caption', align?: Align): Block =>
  paragraphOf(text ? [run(text)] : [], { role, align })

function titleOf(chart: XmlElement | undefined): string {
  const text = childOf(childOf(chart, 'c:title'), 'c:tx')
  const rich = childrenOf(childOf(text, 'c:rich'), 'a:p').map(wordsOf)
  const cached = [...pointsOf(text).values()]
  return [...rich, ...cached].join(' ').replace(/\s+/g, ' ').trim()
}

/** The text of a paragraph of DrawingML. */
export const wordsOf = (line: XmlElement): string =>
  childrenOf(line, 'a:r')
    .map(each => textOf(childOf(each, 'a:t')))
    .join('')

const seriesOf = (series: XmlElement): Series => ({
  name:
    [...pointsOf(childOf(series, 'c:tx')).values()].join(' ') ||
    textOf(childOf(childOf(series, 'c:tx'), 'c:v')),
  categories: pointsOf(childOf(series, 'c:cat') ?? childOf(series, 'c:xVal')),
  values: pointsOf(childOf(series, 'c:val') ?? childOf(series, 'c:yVal')),
})

/** Cached cell values (21.2.2.44, 21.2.2.121, 21.2.2.101); with several levels, all names of a category. */
function pointsOf(data: XmlElement | undefined): Map<number, string> {
  const points = new Map<number, string>()
  const caches = ['c:strCache', 'c:numCache', 'c:strLit', 'c:numLit', 'c:multiLvlStrCache']
  const cache = caches.map(name => findIn(data, name)).find(found => found)
  const format = textOf(childOf(cache, 'c:formatCode'))
  const levels = cache?.name === 'c:multiLvlStrCache' ? childrenOf(cache, 'c:lvl').reverse() : [cache]
  for (const level of levels) {
    for (const point of childrenOf(level, 'c:pt')) {
      const index = Number(point.attributes.idx)
      if (!Number.isInteger(index) || index < 0 || index >= ROW_LIMIT) continue
      const text = textOf(childOf(point, 'c:v')).replace(/\s+/g, ' ').trim()
      const shown = cache?.name.startsWith('c:num') ? numberText(text, format) : text
      points.set(index, [points.get(index), shown].filter(Boolean).join(' '))
    }
  }
  return points
}

/** A number without binary rounding errors; dates and percentages are formatted. */
function numberText(text: string, format: string): string {
  const number = Number(text)
  if (text === '' || !Number.isFinite(number)) return text
  const plain = format.replace(/"[^"]*"|\[[^\]]*\]|\\./g, '')
  if (/[dmy]/i.test(plain) && /[dy]/i.test(plain) && !/general/i.test(plain)) return isoDate(number)
  if (plain.includes('%')) return `${Number((number * 100).toPrecision(12))} %`
  return String(Number(number.toPrecision(12)))
}

/** Day 0 of Excel's calendar. Excel counts a February 29, 1900, so dates are correct only from March 1900 on. */
const EPOCH_MS = Date.UTC(1899, 11, 30)
const DAY_MS = 86_400_000

/** The date of a spreadsheet's day number, such as `2024-05-31`. */
function isoDate(serial: number): string {
  const date = new Date(EPOCH_MS + Math.floor(serial) * DAY_MS)
  return Number.isNaN(date.getTime()) ? String(serial) : date.toISOString().slice(0, 10)
}
