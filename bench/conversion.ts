import { withDefaults } from '../service/convert/catalogue/options.ts'
import { pagesBy } from '../service/convert/catalogue/run.ts'
import type { Output } from '../service/convert/catalogue/task.ts'
import { converters } from '../service/convert/converters/index.ts'
import type { Message } from '../service/shared/messages/message.ts'
import { render } from '../service/shared/messages/render.ts'
import { converterOf, inputOf } from '../testing/samples/convert.ts'

export interface Order {
  job: string
  path: string
  /** Folder for the output. */
  folder: string
  options?: Record<string, unknown>
  cores: number
}

/** Prepares a conversion like a worker does: the engine is loaded, so that only the work itself is timed. */
export async function prepare({ job, path, folder, options = {}, cores }: Order) {
  const converter = converterOf(job)
  const [work, measurer] = await Promise.all([converter.load?.(), converter.measure?.()])
  if (!work) throw new Error(`no ${job}`)
  const input = await inputOf(path, converter.source)
  const task = {
    ...{ input, source: converter.source, target: converter.target, folder, cores },
    options: withDefaults(converter.options, options),
    progress: () => {},
    warn: (warning: Message) => console.log(render(warning)),
    consumed: () => {},
    pagesOf: pagesBy(converters, folder),
  }
  return {
    /** Measures the file as the intake does when it is submitted, which hands on what it found. */
    measure: async (): Promise<void> => {
      const measured = await measurer?.measure(input)
      if (measured && 'probe' in measured) input.probe = measured.probe
    },
    convert: (): Promise<Output[]> => work.convert(task),
  }
}
