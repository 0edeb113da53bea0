import type { OptionGroup, OptionProperties } from '../../service/catalogue/options.ts'
import { Field } from './Field.tsx'
import classes from './SchemaForm.module.css'
import { isGroup, isRecord, isShown, type Problems, type Values } from './schema.ts'

interface Props {
  properties: OptionProperties
  values: Values
  problems: Problems
  /** `value` is undefined where a field was emptied. */
  onChange: (path: readonly string[], value: unknown) => void
}

/** A form for the options of a JSON Schema: groups as columns, fields that do not matter now hidden. */
export function SchemaForm({ properties, values, problems, onChange }: Props) {
  const loose = Object.fromEntries(Object.entries(properties).filter(([, schema]) => !isGroup(schema)))
  const groups = Object.entries(properties).filter((entry): entry is [string, OptionGroup] =>
    isGroup(entry[1]),
  )
  return (
    <div className={classes.form}>
      {Object.keys(loose).length > 0 && (
        <div className={classes.group}>
          <Fields properties={loose} values={values} path={[]} problems={problems} onChange={onChange} />
        </div>
      )}
      {groups.map(([key, group]) => (
        <Group
          key={key}
          group={group}
          values={isRecord(values[key]) ? values[key] : {}}
          path={[key]}
          problems={problems}
          onChange={onChange}
        />
      ))}
    </div>
  )
}

interface PartProps extends Omit<Props, 'properties'> {
  path: readonly string[]
}

function Group({ group, ...rest }: PartProps & { group: OptionGroup }) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{group.title}</legend>
      {group.description && <p className={classes.description}>{group.description}</p>}
      <Fields properties={group.properties} {...rest} />
    </fieldset>
  )
}

function Fields({
  properties,
  values,
  path,
  problems,
  onChange,
}: PartProps & { properties: OptionProperties }) {
  return Object.entries(properties).map(([key, schema]) => {
    const here = [...path, key]
    if (isGroup(schema)) {
      const inner = isRecord(values[key]) ? values[key] : {}
      return (
        <Group key={key} group={schema} values={inner} path={here} problems={problems} onChange={onChange} />
      )
    }
    if (!isShown(schema, properties, values)) return null
    return (
      <Field
        key={key}
        field={schema}
        value={values[key]}
        problem={problems[here.join('.')]}
        onChange={value => onChange(here, value)}
      />
    )
  })
}
