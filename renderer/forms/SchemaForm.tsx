import { Text } from '@mantine/core'
import type { OptionField, OptionGroup, OptionProperties } from '../../service/convert/catalogue/options.ts'
import { CropField } from './crop/CropField.tsx'
import { Described } from './Described.tsx'
import { FieldOf } from './Field.tsx'
import classes from './SchemaForm.module.css'
import { SizeField } from './SizeField.tsx'
import { type Facts, inside, isGroup, type Problems, type Values } from './schema.ts'
import { TrimField } from './trim/TrimField.tsx'

interface Props {
  properties: OptionProperties
  values: Values
  problems: Problems
  /** Known facts about the files, for controls that show the effect on them. */
  facts?: Facts
  /** Dotted paths of the options to show; all if absent. */
  only?: ReadonlySet<string>
  /** Dotted paths of options that are shown elsewhere. */
  except?: ReadonlySet<string>
  /** `value` is undefined if a field was emptied. */
  onChange: (path: readonly string[], value: unknown) => void
}

/** A form for the options of a JSON Schema: groups as columns, irrelevant fields hidden. */
export function SchemaForm({ properties, ...rest }: Props) {
  const entries = Object.entries(properties).filter(([key, schema]) => isWanted(schema, key, rest))
  const part = ([key]: [string, unknown]) => (
    <Part key={key} name={key} siblings={properties} path={[]} {...rest} />
  )
  const loose = entries.filter(([, schema]) => !isGroup(schema))
  return (
    <div className={classes.form}>
      {loose.length > 0 && <div className={classes.group}>{loose.map(part)}</div>}
      {entries.filter(([, schema]) => isGroup(schema)).map(part)}
    </div>
  )
}

type Wanted = Pick<Props, 'only' | 'except'>

/** Whether an option, or any within a group, is to be shown here. */
function isWanted(schema: OptionField | OptionGroup, path: string, { only, except }: Wanted): boolean {
  if (except?.has(path) || (!isGroup(schema) && schema['x-replaced'])) return false
  if (!only || only.has(path)) return true
  return (
    isGroup(schema) &&
    Object.entries(schema.properties).some(([key, inner]) => isWanted(inner, `${path}.${key}`, { only }))
  )
}

interface PartProps extends Omit<Props, 'properties'> {
  name: string
  /** The options of its group, which may determine whether it is relevant. */
  siblings: OptionProperties
  path: readonly string[]
}

/** One option or one group. */
function Part({ name, siblings, path, values, only, except, ...rest }: PartProps) {
  const schema = siblings[name]
  const here = [...path, name]
  const dotted = here.join('.')
  if (!schema || !isWanted(schema, dotted, { ...(only && { only }), ...(except && { except }) })) return null
  if (!isGroup(schema)) return <FieldOf {...{ name, siblings, values, path }} {...rest} />
  const inner = inside(values, name)
  const { facts = {} } = rest
  const control = { ...rest, group: schema, values: inner, facts, path: here }
  if (schema['x-control'] === 'size') return <SizeField {...control} />
  if (schema['x-control'] === 'crop') return <CropField {...control} />
  if (schema['x-control'] === 'trim') return <TrimField {...control} />
  // If a group itself is requested, everything in it is.
  const narrowed = { ...(only && !only.has(dotted) && { only }), ...(except && { except }) }
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{schema.title}</legend>
      {schema.description && (
        <Text className="fine" mt={-8}>
          <Described of={schema} />
        </Text>
      )}
      {Object.keys(schema.properties).map(key => (
        <Part
          key={key}
          name={key}
          siblings={schema.properties}
          path={here}
          values={inner}
          {...rest}
          {...narrowed}
        />
      ))}
    </fieldset>
  )
}
