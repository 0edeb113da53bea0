import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import { joinedBy } from './bundle.ts'
import { Catalogue } from './catalogue.ts'
import type { Converter } from './converter.ts'
import { withDefaults } from './options.ts'
import type { Options, Output, Task, TaskInput } from './task.ts'

interface Surroundings {
  /** Gets a separate folder for the run. */
  folder: string
  /** All converters, for a work that converts what its input contains. */
  converters: readonly Converter[]
  warn?: Task['warn']
}

let runs = 0

/**
 * Runs a converter's work in this process.
 * @param options may omit everything that has a default
 * @throws JobFailure as the work does
 */
export async function runConverter(
  converter: Converter,
  input: TaskInput,
  options: Options,
  { folder, converters, warn = () => {} }: Surroundings,
): Promise<Output[]> {
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
    pagesOf: pagesBy(converters, own),
  })
}

/** What a task in this folder gets as `pagesOf`. */
export const pagesBy =
  (converters: readonly Converter[], folder: string): Task['pagesOf'] =>
  (file, options, warn) => {
    const converter = joinedBy(new Catalogue(converters), 'files', file.format)
    if (!converter)
      throw new JobFailure('jobs.unsupported_input', message('request.not_pages', { name: file.name }))
    const known = Object.fromEntries(Object.entries(options).filter(([name]) => name in converter.options))
    return runConverter(converter, file, known, { folder, converters, warn })
  }
