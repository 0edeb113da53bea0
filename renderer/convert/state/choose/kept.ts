/**
 * What is chosen for files that are still to be converted: a reload, another window or another day must not forget it. The service
 * has it; what is secret is not kept.
 */
import type { Chosen } from '../../../../service/web/app/types.ts'
import { isGroup, isRecord, type Values } from '../../../forms/schema.ts'
import { pairOf, type Schemas } from '../../../options/schemas.ts'
import { type Row, stageOf } from '../rows/row.ts'
import type { RowsState } from '../rows/rows.ts'
import type { Following } from './choosing.ts'

type Properties = Extract<Schemas[string], object>['properties']

/** A choice as it may be kept. */
export const keptChoice = ({ target, format, options }: Row, schemas: Schemas): Chosen['choices'][string] => {
  const schema = schemas[pairOf(format ?? '', target ?? '')]
  const shown = typeof schema === 'object' ? withoutSecrets(schema.properties, options) : options
  return { target: target ?? '', options: shown }
}

export function chosenIn({ rows, following }: RowsState & Following, schemas: Schemas): Chosen {
  const choices: Chosen['choices'] = {}
  for (const row of rows.values()) {
    if (row.fileId && row.target !== null && stageOf(row) === 'ready')
      choices[row.fileId] = keptChoice(row, schemas)
  }
  return { choices, following: following?.id ?? null }
}

const withoutSecrets = (properties: Properties, values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      const field = properties[key]
      if (field && isGroup(field))
        return isRecord(value) ? [[key, withoutSecrets(field.properties, value)]] : []
      return field?.['x-secret'] ? [] : [[key, value]]
    }),
  )
