/**
 * What is chosen for files that are still to be converted: a reload, another window or another day must not forget it. The service
 * has it; what is secret is not kept.
 */
import type { Chosen } from '../../../../service/web/app/types.ts'
import { isGroup, isRecord, type Values } from '../../../forms/schema.ts'
import { pairOf, type Schemas } from '../../../options/schemas.ts'
import { type Row, stageOf } from '../rows/row.ts'

type Properties = Extract<Schemas[string], object>['properties']

/** What the service keeps for a row: null while there is nothing to convert. */
export function keptChoice(row: Row, schemas: Schemas): Chosen['choices'][string] {
  const { target, format, options } = row
  if (target === null || stageOf(row) !== 'ready') return null
  const schema = schemas[pairOf(format ?? '', target)]
  const shown = typeof schema === 'object' ? withoutSecrets(schema.properties, options) : options
  return { target, options: shown }
}

/** Whether two rows have the same choice, without looking into their options. */
export const hasSameChoice = (a: Row, b: Row): boolean =>
  a.target === b.target && a.options === b.options && a.fileId === b.fileId && stageOf(a) === stageOf(b)

const withoutSecrets = (properties: Properties, values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      const field = properties[key]
      if (field && isGroup(field))
        return isRecord(value) ? [[key, withoutSecrets(field.properties, value)]] : []
      return field?.['x-secret'] ? [] : [[key, value]]
    }),
  )
