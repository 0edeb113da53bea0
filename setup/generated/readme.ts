/** `npm run readme`: writes the tables of the documentation that follow from the code. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Converter, categories } from '../../service/convert/catalogue/converter.ts'
import { converters as all } from '../../service/convert/converters/index.ts'
import { settings } from '../../service/shared/settings/table.ts'
import { root } from '../root.mjs'

const pairsOf = (converters: readonly Converter[]): string =>
  [...Map.groupBy(converters, ({ source }) => source)]
    .map(([source, targets]) => `${source} → ${targets.map(({ target }) => target).join(', ')}`)
    .join('; ')

function conversionTable(): string[] {
  const [beyond, converters] = [true, false].map(extension =>
    all.filter(converter => converter.extension === extension),
  ) as [Converter[], Converter[]]
  const rows = Object.keys(categories).map(category => {
    const own = converters.filter(converter => converter.category === category)
    return `| ${category} (${own.length}) | ${pairsOf(own)} |`
  })
  return ['| | |', '|---|---|', ...rows, `| beyond these (${beyond.length}) | ${pairsOf(beyond)} |`]
}

const settingTable = (): string[] => [
  '| variable | default | |',
  '|---|---|---|',
  ...Object.values(settings).map(({ variable, shown, what }) => `| \`${variable}\` | ${shown} | ${what} |`),
]

/** The generated tables, each with its document and the name of the comments around it. */
export const tables = [
  { file: join(root, 'docs/formats.md'), name: 'conversions', lines: conversionTable },
  { file: join(root, 'docs/settings.md'), name: 'settings', lines: settingTable },
]

type Table = (typeof tables)[number]

/** A document with its table up to date. @throws {Error} if the comments around it are missing */
export function updated({ file, name, lines }: Table): string {
  const [start, end] = [`<!-- ${name}: npm run readme -->`, `<!-- /${name} -->`]
  const [before, rest] = readFileSync(file, 'utf8').split(start)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`${file} has no ${start} … ${end}`)
  return `${before}${[start, ...lines(), end].join('\n')}${after}`
}

if (process.argv[1] === import.meta.filename)
  for (const table of tables) writeFileSync(table.file, updated(table))
