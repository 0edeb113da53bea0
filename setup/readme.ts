/** `npm run readme`: writes the table of conversions in README.md from the catalogue. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Converter, categories } from '../service/convert/catalogue/converter.ts'
import { converters as all } from '../service/convert/converters/index.ts'
import { root } from './root.mjs'

export const readmeFile = join(root, 'README.md')

const START = '<!-- conversions: npm run readme -->'
const END = '<!-- /conversions -->'

const pairsOf = (converters: readonly Converter[]): string =>
  [...Map.groupBy(converters, ({ source }) => source)]
    .map(([source, targets]) => `${source} → ${targets.map(({ target }) => target).join(', ')}`)
    .join('; ')

function table(): string {
  const [beyond, converters] = [true, false].map(extension =>
    all.filter(converter => converter.extension === extension),
  ) as [Converter[], Converter[]]
  const rows = Object.keys(categories).map(category => {
    const own = converters.filter(converter => converter.category === category)
    return `| ${category} (${own.length}) | ${pairsOf(own)} |`
  })
  return ['| | |', '|---|---|', ...rows, `| beyond these (${beyond.length}) | ${pairsOf(beyond)} |`].join(
    '\n',
  )
}

/** README.md with an up-to-date table. */
export function readme(text: string): string {
  const [before, rest] = text.split(START)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error(`README.md has no ${START} … ${END}`)
  return `${before}${START}\n${table()}\n${END}${after}`
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(readmeFile, readme(readFileSync(readmeFile, 'utf8')))
