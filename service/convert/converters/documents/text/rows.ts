/** The conversions of text documents: everything that can be read, to everything that can be written. */
import {
  type Category,
  type Costing,
  defineConverters,
  fixed,
  perMegabyte,
  perPage,
} from '../../../catalogue/converter.ts'
import type { EngineName } from '../../../catalogue/engines.ts'
import type { FormatKey } from '../../../catalogue/formats.ts'
import type { OptionProperties } from '../../../catalogue/options.ts'
import type { Prober, Work } from '../../../catalogue/task.ts'
import { readers, writers } from '../../../engines/documents/index.ts'
import type { EncodingOption } from '../options.ts'
import {
  pictureOptions,
  type SlideTextOptions,
  slideTextOptions,
  type WordTextOptions,
  webTextOptions,
  wordTextOptions,
} from './options.ts'

interface Source {
  source: FormatKey
  likely?: FormatKey
  costing: Costing
  options: (target: string) => OptionProperties
  engine: EngineName
  measure?: () => Promise<Prober>
  /** Targets that are reached in a way of their own. */
  others?: readonly FormatKey[]
}

type Load = () => Promise<Work<WordTextOptions & SlideTextOptions & EncodingOption>>

/** What the contract has of them. */
const CONTRACT = new Set(['docx-to-epub', 'docx-to-md'])

/** A converter from each source to each target but itself. */
export const textConverters = (category: Category, sources: readonly Source[], load: Load) =>
  sources.flatMap(({ others, ...source }) =>
    Object.keys(writers)
      .filter(target => target !== source.source && !others?.includes(target as FormatKey))
      .flatMap(target =>
        defineConverters(category, [
          {
            ...source,
            targets: [target as keyof typeof writers],
            ...(!CONTRACT.has(`${source.source}-to-${target}`) && { extension: true as const }),
            load,
          },
        ]),
      ),
  )

const costing = perMegabyte(5)
const slides = { options: slideTextOptions, costing }
const mail = { likely: 'pdf', options: pictureOptions } as const
/** Formats that have options, a price or an engine of their own. */
const own: Partial<Record<FormatKey, Partial<Source>>> = {
  docx: { options: wordTextOptions },
  eml: mail,
  html: { others: ['docx'] },
  ipynb: { likely: 'html', options: pictureOptions },
  mbox: mail,
  md: { costing: fixed(1) },
  msg: mail,
  org: { likely: 'html' },
  rst: { likely: 'html' },
  tex: { likely: 'html' },
  pptx: { ...slides, costing: perPage(5, { unit: 'slides' }), measure: () => import('../office/measure.ts') },
}
/** Those that are no text themselves, or that LibreOffice reads. */
const others: Source[] = [
  { source: 'textpack', costing, options: webTextOptions, engine: 'markup' },
  ...(['doc', 'odt'] as const).map(source => ({
    source,
    costing,
    options: wordTextOptions,
    engine: 'office' as const,
    others: ['docx'] as const,
  })),
  { source: 'rtf', costing, options: pictureOptions, engine: 'office', others: ['docx'] },
  ...(['odp', 'ppt'] as const).map(source => ({ source, ...slides, engine: 'office' as const })),
]

export const textSources: readonly Source[] = [
  ...(Object.keys(readers) as (keyof typeof readers)[]).map(source => ({
    source,
    costing,
    options: webTextOptions,
    engine: 'markup' as const,
    ...own[source],
  })),
  ...others,
]
