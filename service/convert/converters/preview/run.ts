import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../shared/errors.ts'
import type { Converter } from '../../catalogue/converter.ts'
import { withDefaults } from '../../catalogue/options.ts'
import type { Options, Output, Task, TaskInput } from '../../catalogue/task.ts'

let runs = 0

/**
 * Runs a converter's work in this process, in a separate folder below `folder`.
 * @param options may omit everything that has a default
 * @throws JobFailure as the work does
 */
export async function runConverter(
  converter: Converter,
  input: TaskInput,
  options: Options,
  { folder, warn = () => {} }: { folder: string; warn?: Task['warn'] },
): Promise<Output[]> {
  if (!converter.load) throw new JobFailure('jobs.engine_missing')
  const own = join(folder, `run-${runs++}`)
  await mkdir(own)
  const work = await converter.load()
  return await work.convert({
    input,
    source: converter.source,
    target: converter.target,
    options: withDefaults(converter.options, options),
    folder: own,
    cores: 1,
    progress: () => {},
    warn,
    consumed: () => {},
  })
}
