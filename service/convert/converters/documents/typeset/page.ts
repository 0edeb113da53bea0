/** Converts a web page to PDF. */
import { readFile } from 'node:fs/promises'
import { message } from '../../../../shared/messages/message.ts'
import { isDefault, withDefaults } from '../../../catalogue/options.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { type OfficeOptions, textOptions } from '../office/options.ts'
import type { EncodingOption } from '../options.ts'
import { type TypesetOptions, typesetOptions } from './options.ts'

/** What LibreOffice writes as if it were text: `mc2` for mc², the reading of a word behind it. */
const FORMULA_OR_RUBY = /<(?:math|ruby)[\s>]|<span class="math /i

/**
 * LibreOffice keeps the colours of a page; one with formulas or readings is set from its structure, without them.
 * @throws JobFailure corrupt_input, unsupported_input, too_large, engine_crashed, engine_missing
 */
export async function convert(task: Task<OfficeOptions & EncodingOption>): Promise<Output[]> {
  const { rebuild, accessible } = task.options
  const isSpecial = FORMULA_OR_RUBY.test(await readFile(task.input.path, 'latin1'))
  // All other options are of the layout, which only LibreOffice has.
  const isUsual = isDefault(textOptions('pdf'), task.options, ['rebuild', 'accessible'])
  if (isSpecial) task.warn(message(isUsual ? 'markdown.by_structure' : 'markdown.by_layout'))
  if (!isSpecial || !isUsual) return (await import('../office/work.ts')).convert(task)
  const { convert: typeset } = await import('./work.ts')
  const options = withDefaults(typesetOptions, { pageNumbers: false, rebuild, accessible }) as TypesetOptions
  return typeset({ ...task, options: { ...options, encoding: task.options.encoding } })
}
