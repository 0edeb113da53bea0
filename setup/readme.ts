/** `npm run readme`: writes the table of conversions in README.md, which follows from the catalogue. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { categories } from '../service/catalogue/converter.ts'
import { converters } from '../service/converters/index.ts'
import { root } from './root.mjs'

export const readmeFile = join(root, 'README.md')

const START = '<!-- conversions: npm run readme -->'
const END = '<!-- /conversions -->'

function table(): string {
  const rows = Object.keys(categories).map(category => {
    const own = converters.filter(converter => converter.category === category)
    const sources = Map.groupBy(own, ({ source }) => source)
    const pairs = [...sources].map(
      ([source, targets]) => `${source} → ${targets.map(({ target }) => target).join(', ')}`,
    )
    return `| ${category} (${own.length}) | ${pairs.join('; ')} |`
  })
  return ['| | |', '|---|---|', ...rows].join('\n')
}

/** README.md with the table as it should be. */
export function readme(text: string): string {
  const [before, rest] = text.split(START)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error(`README.md has no ${START} … ${END}`)
  return `${before}${START}\n${table()}\n${END}${after}`
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(readmeFile, readme(readFileSync(readmeFile, 'utf8')))
