import type { Catalogue } from '../catalogue/catalogue.ts'
import { type FormatKey, splitName } from '../catalogue/formats.ts'
import type { WorkerPool } from '../workers/pool.ts'
import { identify } from './identify.ts'
import { type Measured, measure, type Waiter } from './measure.ts'
import type { UploadedFile } from './upload.ts'

/** Everything that can be told of a file before anyone says what it is to become. */
export interface Examined extends Measured {
  format: FormatKey | null
}

/** Tells the format of a file, and measures it in every unit that the prices of its conversions are counted in. */
export async function examine(
  { catalogue, pool }: { catalogue: Catalogue; pool: WorkerPool },
  file: UploadedFile,
  waiter: Waiter,
): Promise<Examined> {
  const format = await identify(file.path, file.name)
  if (!format) return { format: null, measure: {}, problem: null }
  const { path, name, bytes } = file
  const input = { path, name, stem: splitName(name).stem, bytes, format }
  const edges = catalogue.edgesFrom(format)
  const examined: Examined = { format, measure: {}, problem: null }
  for (const strategy of ['PerPage', 'PerMinute'] as const) {
    // Conversions of one format that are priced in one unit count it alike.
    const edge = edges.find(({ converter }) => converter.costing.strategy === strategy && converter.measure)
    if (!edge) continue
    const found = await measure(pool, edge.converter, input, waiter)
    examined.measure = { ...examined.measure, ...found.measure }
    examined.problem ??= found.problem
  }
  return examined
}
