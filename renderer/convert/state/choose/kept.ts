/**
 * What is chosen for files that are still to be converted: a reload, another window or another day must not forget it. The browser
 * has it; what is secret is not kept.
 */
import type { Preset } from '../../../../service/web/app/types.ts'
import { isGroup, isRecord, type Values } from '../../../forms/schema.ts'
import { pairOf, type Schemas } from '../../../options/schemas.ts'
import { type Row, stageOf } from '../rows/row.ts'
import type { RowsState } from '../rows/rows.ts'
import type { Following } from './choosing.ts'

const KEY = 'refile-choices'

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>
type Properties = Extract<Schemas[string], object>['properties']

export type Choice = Pick<Row, 'options'> & { target: string }

export interface Kept {
  /** By the id of the file. */
  choices: ReadonlyMap<string, Choice>
  /** The preset that new files follow. */
  following: Preset | null
}

/** Notes the choices as the page is left. */
export function keepChoices(
  { rows, following }: RowsState & Following,
  schemas: Schemas,
  storage: Storage,
): void {
  const choices: Record<string, Choice> = {}
  for (const row of rows.values()) {
    const { fileId, target, format, options } = row
    if (!fileId || target === null || stageOf(row) !== 'ready') continue
    const schema = schemas[pairOf(format ?? '', target)]
    const shown = typeof schema === 'object' ? withoutSecrets(schema.properties, options) : options
    choices[fileId] = { target, options: shown }
  }
  storage.setItem(KEY, JSON.stringify({ choices, following }))
}

/** What was noted. */
export function keptChoices(storage: Storage): Kept {
  const { choices = {}, following = null } = JSON.parse(storage.getItem(KEY) ?? '{}')
  return { choices: new Map(Object.entries<Choice>(choices)), following }
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
