import { Box, ColorInput, NumberInput, PasswordInput, Select, Slider, Switch, TextInput } from '@mantine/core'
import { useContext } from 'react'
import type { OptionProperties } from '../../service/convert/catalogue/options.ts'
import { text } from '../messages/text.ts'
import { quantity } from '../ui/format.ts'
import { Segments } from '../ui/Segments.tsx'
import { PageCuts } from './cuts/PageCuts.tsx'
import { Described } from './Described.tsx'
import classes from './Field.module.css'
import { LimitField } from './LimitField.tsx'
import { NumberLine } from './NumberLine.tsx'
import { PictureField } from './PictureField.tsx'
import { describeProblem, type FieldProps, unitOf } from './problem.ts'
import { chosenValue, enumLabel, type GroupControlProps, isGroup, isShown } from './schema.ts'
import { Surroundings } from './surroundings.ts'
import { MirrorField, TurnField } from './TurnField.tsx'
import { TimeField } from './trim/TimeField.tsx'
import { WordChips } from './WordChips.tsx'

/** A number with a range: words for some of it, a slider, and a field for typing it. */
function SliderField(props: FieldProps & { value: number }) {
  const { field, value, onChange } = props
  const { minimum: min = 0, maximum: max = 100, 'x-words': words } = field
  const { size } = useContext(Surroundings)
  const step = field.type === 'integer' ? 1 : 0.5
  return (
    <NumberLine {...props} step={step} aside={field['x-affects-size'] ? size : null}>
      {words && <WordChips words={words} value={value} onChange={onChange} />}
      <Slider
        thumbLabel={field.title}
        label={null}
        {...{ min, max, step, onChange }}
        value={Math.min(max, Math.max(min, value))}
      />
    </NumberLine>
  )
}

interface Props extends Pick<GroupControlProps, 'values' | 'problems' | 'path' | 'onChange'> {
  name: string
  /** The options of its group, which may determine whether it is relevant. */
  siblings: OptionProperties
}

/** One option of a group by its name; nothing if it is not relevant. */
export function FieldOf({ name, siblings, values, problems, path, onChange }: Props) {
  const field = siblings[name]
  if (!field || isGroup(field) || !isShown(field, siblings, values)) return null
  const here = [...path, name]
  const value = chosenValue(field, name, values)
  const set = (next: unknown) => onChange(here, next)
  return (
    <>
      <Field field={field} value={value} problem={problems[here.join('.')]} onChange={set} />
      {field['x-control'] === 'cuts' && values.split === 'ranges' && (
        <PageCuts parts={value} title={field.title} onChange={set} />
      )}
    </>
  )
}

/** One option, with the control that suits its type. */
export function Field(props: FieldProps) {
  const { field, value = field.default, onChange } = props
  const { enum: values, 'x-control': control } = field
  if (control === 'colour') return <ColourField {...props} />
  if (control === 'time') return <TimeField {...props} hint={field.description} fallback={field.default} />
  if (control === 'slider' && isNumber(value)) return <SliderField {...props} value={value} />
  if (control === 'turn' && values)
    return <TurnField field={{ ...field, enum: values }} value={String(value)} onChange={onChange} />
  if (control === 'mirror' && values)
    return <MirrorField field={{ ...field, enum: values }} value={String(value)} onChange={onChange} />
  if (control === 'picture') return <PictureField {...props} />
  if (field.type === 'boolean') return <BooleanField {...props} />
  if (values) return <ChoiceField {...props} values={values} />
  if (field.type === 'string') return <TextField {...props} />
  return <NumberField {...props} />
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

/** What the fields of the library have in common; what the option does is left out if its name says it. */
const wordsOf = ({ field, problem }: FieldProps) => ({
  label: field.title,
  description: field.description && <Described of={field} />,
  error: describeProblem(problem),
})

function BooleanField(props: FieldProps) {
  const { field, value = field.default, onChange } = props
  return (
    <Switch
      {...wordsOf(props)}
      checked={value === true}
      onChange={event => onChange(event.currentTarget.checked)}
    />
  )
}

const fewChoices = 3
const fewLetters = 24

function ChoiceField({ values, ...props }: FieldProps & { values: string[] }) {
  const { field, value = field.default ?? '', onChange } = props
  const data = values.map(each => ({ value: each, label: enumLabel(field, each) }))
  const letters = data.reduce((sum, each) => sum + each.label.length, 0)
  const choice = { data, value: String(value) }
  if (data.length <= fewChoices && letters <= fewLetters) {
    return (
      <Segments label={field.title} fullWidth size="sm" {...choice} onChange={onChange}>
        {field.description && <p className={`${classes.hint} fine`}>{field.description}</p>}
      </Segments>
    )
  }
  return (
    <div>
      <Select
        {...wordsOf(props)}
        {...choice}
        allowDeselect={false}
        onChange={next => onChange(next ?? undefined)}
      />
      <Words {...props} value={value} />
    </div>
  )
}

/** The choices in words below another control, if an option has any. */
function Words({ field: { 'x-words': words }, value, onChange }: FieldProps) {
  return (
    words && (
      <Box mt={8}>
        <WordChips words={words} value={value} onChange={onChange} />
      </Box>
    )
  )
}

function NumberField(props: FieldProps) {
  const { field, value = field.default, onChange } = props
  const { minimum, maximum, 'x-presets': usual } = field
  const number = isNumber(value) ? value : undefined
  if (usual) return <LimitField {...props} usual={usual} value={number} />
  const range =
    minimum !== undefined && maximum !== undefined
      ? text('form.range', { minimum, maximum: quantity(maximum, field['x-unit']) })
      : undefined
  const { description, ...words } = wordsOf(props)
  return (
    <div>
      <NumberInput
        {...words}
        description={description ?? range}
        placeholder={range}
        suffix={unitOf(field)}
        min={minimum}
        max={maximum}
        clampBehavior="none"
        allowDecimal={field.type === 'number'}
        allowNegative={minimum === undefined || minimum < 0}
        value={number ?? ''}
        onChange={next => onChange(next === '' ? undefined : Number(next))}
      />
      <Words {...props} value={value} />
    </div>
  )
}

const SWATCHES = ['#ffffff', '#000000', '#808080', '#f2c056', '#17634a', '#2f6fb0', '#ad3425']

/** A colour as text, with a picker beside it; words such as `transparent` can be typed. */
function ColourField(props: FieldProps) {
  const { field, value = field.default ?? '', onChange } = props
  return (
    <ColorInput
      {...wordsOf(props)}
      format="hex"
      fixOnBlur={false}
      swatches={SWATCHES}
      swatchesPerRow={SWATCHES.length}
      eyeDropperButtonProps={{ 'aria-label': text('form.colour') }}
      value={String(value)}
      onChange={next => onChange(next || undefined)}
    />
  )
}

function TextField(props: FieldProps) {
  const { field, value = field.default ?? '', onChange } = props
  const Input = field['x-secret'] ? PasswordInput : TextInput
  return (
    <Input
      {...(field['x-secret'] ? { autoComplete: 'off' } : {})}
      {...wordsOf(props)}
      value={String(value)}
      onChange={event => onChange(event.currentTarget.value || undefined)}
    />
  )
}
