import type { Catalogue } from '../../convert/catalogue/catalogue.ts'
import { measuring } from '../../convert/catalogue/engines.ts'
import { type FormatKey, splitName } from '../../convert/catalogue/formats.ts'
import type { WorkerPool } from '../../sandbox/workers/pool.ts'
import type { FileFacts } from '../../shared/file-facts.ts'
import type { FileRecord } from '../../store/interfaces/files.ts'
import { adviceOn, identify } from './identify.ts'
import { type Measured, measure, type Waiter } from './measure.ts'
import type { UploadedFile } from './upload.ts'

/** Picture formats whose header describes the content. */
const withHead: ReadonlySet<FormatKey> = new Set(['avif', 'gif', 'heic', 'jpg', 'png', 'tiff', 'webp'])

/** How long reading a picture's header may take. Its result is optional. */
const HEAD_TIMEOUT_MS = 4_000

async function headOf(pool: WorkerPool, path: string, { accountId, signal }: Waiter): Promise<FileFacts> {
  const place = {
    engine: measuring.engine,
    queue: 'measure',
    timeoutMs: HEAD_TIMEOUT_MS,
    who: accountId,
  } as const
  try {
    return (await pool.run('size', { path }, { ...place, ...(signal && { signal }) })) ?? {}
  } catch {
    signal?.throwIfAborted()
    return {}
  }
}

/**
 * Identifies the format of a file, and measures it in every unit in which its conversions are priced: all that can be
 * found out before its target is known.
 */
export async function examine(
  { catalogue, pool }: { catalogue: Catalogue; pool: WorkerPool },
  file: UploadedFile,
  waiter: Waiter,
): Promise<Measured & Pick<FileRecord, 'format'>> {
  const format = await identify(file.path, file.name)
  if (!format) return { format: null, measure: {}, problem: adviceOn(file.name) }
  const { path, name, bytes } = file
  const input = { path, name, stem: splitName(name).stem, bytes, format }
  const edges = catalogue.edgesFrom(format)
  const examined: Measured & { format: FormatKey } = { format, measure: {}, problem: null }
  for (const strategy of ['PerPage', 'PerMinute'] as const) {
    // All conversions of one format that are priced in the same unit count it in the same way.
    const edge = edges.find(({ converter }) => converter.costing.strategy === strategy && converter.measure)
    if (!edge) continue
    const found = await measure(pool, edge.converter, input, waiter)
    examined.measure = { ...examined.measure, ...found.measure }
    examined.problem ??= found.problem
  }
  if (withHead.has(format)) examined.measure.facts = await headOf(pool, path, waiter)
  return examined
}
