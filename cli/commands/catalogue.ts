import { loadCatalogue } from '../catalogue.ts'
import type { CliContext } from '../context.ts'
import { type ExitCode, exitCode } from '../exit-codes.ts'
import { print, printTable, printValue, say } from '../print.ts'

/** `refile formats [FORMAT]`: what can be converted, or what one format can become. */
export async function formats(
  format: string | undefined,
  { json = false }: { json?: boolean },
  context: CliContext,
): Promise<ExitCode> {
  const catalogue = await loadCatalogue(await context.service(), context.signal)
  if (format === undefined) {
    const rows = Object.entries(catalogue.all.sourceFormatTo).map(([source, edges]) => [
      source,
      edges.map(({ targetFormat }) => targetFormat).join(' '),
    ])
    if (json)
      printValue(Object.fromEntries(rows.map(([source = '', targets = '']) => [source, targets.split(' ')])))
    else printTable(['from', 'to'], rows)
    return exitCode.done
  }
  const edges = catalogue.edgesOf(format)
  if (edges.length === 0) {
    say(`refile: No conversion takes "${format}".`)
    return exitCode.pair
  }
  if (json) printValue(edges)
  else {
    const rows = edges.map(({ targetFormat, category, costing }) => [
      targetFormat,
      category,
      `${costing.baseCost} ${costing.displaySuffix}`,
    ])
    printTable(['to', 'category', 'credits'], rows)
  }
  return exitCode.done
}

interface Property {
  type?: string | string[]
  enum?: unknown[]
  title?: string
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  properties?: Record<string, Property>
}

/** The options of a conversion as rows: name, values, default, what it is. */
export async function optionRows(from: string, to: string, context: CliContext): Promise<string[][]> {
  const { client } = await context.service()
  return rowsOf((await client.schema(from, to, context.signal)) as Property)
}

/** `refile options FROM TO` */
export async function options(
  from: string,
  to: string,
  { json = false }: { json?: boolean },
  context: CliContext,
): Promise<ExitCode> {
  const { client } = await context.service()
  if (json) printValue(await client.schema(from, to, context.signal))
  else printTable(['option', 'values', 'default', 'what it is'], await optionRows(from, to, context))
  return exitCode.done
}

const rowsOf = ({ properties = {} }: Property, prefix = ''): string[][] =>
  Object.entries(properties).flatMap(([name, property]) => {
    if (property.properties) return rowsOf(property, `${prefix}${name}.`)
    const fallback = property.default === undefined ? '' : JSON.stringify(property.default)
    return [[`${prefix}${name}`, valuesOf(property), fallback, property.title ?? property.description ?? '']]
  })

function valuesOf({ enum: values, type, minimum, maximum }: Property): string {
  if (values) return values.join(', ')
  if (minimum !== undefined || maximum !== undefined) return `${minimum ?? ''}–${maximum ?? ''}`
  return [type ?? ''].flat().join(' or ')
}

/** `refile estimate FROM TO`: what a conversion would cost. */
export async function estimate(
  from: string,
  to: string,
  query: object,
  { json = false }: { json?: boolean },
  context: CliContext,
): Promise<ExitCode> {
  const { client } = await context.service()
  const found = await client.estimate(from, to, query, context.signal)
  if (json) printValue(found)
  else print(`${found.estimatedCredits}\n`)
  return exitCode.done
}
