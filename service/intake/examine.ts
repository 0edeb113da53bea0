import type { Catalogue } from '../catalogue/catalogue.ts'
import { measuring } from '../catalogue/engines.ts'
import type { FileFacts } from '../catalogue/facts.ts'
import { type FormatKey, splitName } from '../catalogue/formats.ts'
import type { WorkerPool } from '../workers/pool.ts'
import { identify } from './identify.ts'
import { type Measured, measure, type Waiter } from './measure.ts'
import type { UploadedFile } from './upload.ts'

/** Everything that can be told of a file before anyone says what it is to become. */
export interface Examined extends Measured {
  format: FormatKey | null
}

/** Pictures whose head tells what is in them. */
const withHead: ReadonlySet<FormatKey> = new Set(['avif', 'gif', 'jpg', 'png', 'tiff', 'webp'])

/** Time that reading the head of a picture may take; nobody has to know what it says. */
const HEAD_TIMEOUT_MS = 4_000

async function headOf(pool: WorkerPool, path: string, { accountId, signal }: Waiter): Promise<FileFacts> {
  const place = { engine: measuring, lane: 'measure', timeoutMs: HEAD_TIMEOUT_MS, who: accountId } as const
  try {
    return (await pool.run('size', { path }, { ...place, ...(signal && { signal }) })) ?? {}
  } catch {
    signal?.throwIfAborted()
    return {}
  }
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
  if (withHead.has(format)) examined.measure.facts = await headOf(pool, path, waiter)
  return examined
}
