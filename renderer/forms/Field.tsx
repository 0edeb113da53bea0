import {
  ColorInput,
  NumberInput,
  PasswordInput,
  SegmentedControl,
  Select,
  Switch,
  TextInput,
} from '@mantine/core'
import { useContext, useId } from 'react'
import type { OptionField } from '../../service/convert/catalogue/options.ts'
import { text } from '../messages/text.ts'
import { quantity } from '../ui/format.ts'
import { Described } from './Described.tsx'
import classes from './Field.module.css'
import { LimitField } from './LimitField.tsx'
import { PictureField } from './PictureField.tsx'
import { describeProblem } from './problem.ts'
import { SliderField } from './SliderField.tsx'
import type { FieldProblem } from './schema.ts'
import { ExpectedSize } from './surroundings.ts'
import { MirrorField, TurnField } from './TurnField.tsx'
import { TimeField } from './trim/TimeField.tsx'
import { WordChips } from './WordChips.tsx'

interface Props {
  field: OptionField
  /** Undefined while the default applies. */
  value: unknown
  problem: FieldProblem | undefined
  onChange: (value: unknown) => void
}

/** One option, with the control that suits its type. */
export function Field(props: Props) {
  const { field, value } = props
  const shown = value ?? field.default
  if (field['x-control'] === 'colour') return <ColourField {...props} />
  if (field['x-control'] === 'time') return <TimeOption {...props} />
  if (field['x-control'] === 'slider' && typeof shown === 'number')
    return <SliderOption {...props} shown={shown} />
  if (field['x-control'] === 'turn' && field.enum)
    return (
      <TurnField field={{ ...field, enum: field.enum }} value={String(shown)} onChange={props.onChange} />
    )
  if (field['x-control'] === 'mirror' && field.enum)
    return (
      <MirrorField field={{ ...field, enum: field.enum }} value={String(shown)} onChange={props.onChange} />
    )
  if (field['x-control'] === 'picture') return <PictureField {...props} />
  if (field.type === 'boolean') return <BooleanField {...props} />
  if (field.enum) return <ChoiceField {...props} values={field.enum} />
  if (field.type === 'string') return <TextField {...props} />
  return <NumberField {...props} />
}

const errorOf = (problem: FieldProblem | undefined) => (problem ? describeProblem(problem) : undefined)

function BooleanField({ field, value, onChange }: Props) {
  return (
    <Switch
      label={field.title}
      description={hintOf(field)}
      checked={(value ?? field.default) === true}
      onChange={event => onChange(event.currentTarget.checked)}
    />
  )
}

const fewChoices = 3
const fewLetters = 24

function ChoiceField({ field, value, values, onChange, problem }: Props & { values: string[] }) {
  const id = useId()
  const data = values.map((each, index) => ({ value: each, label: field['x-labels']?.[index] ?? each }))
  const current = String(value ?? field.default ?? '')
  const letters = data.reduce((sum, each) => sum + each.label.length, 0)
  if (data.length <= fewChoices && letters <= fewLetters) {
    return (
      <div>
        <div id={id} className={classes.label}>
          {field.title}
        </div>
        <SegmentedControl
          fullWidth
          size="sm"
          aria-labelledby={id}
          data={data}
          value={current}
          onChange={onChange}
        />
        {field.description && <p className={classes.hint}>{field.description}</p>}
      </div>
    )
  }
  const words = field['x-words']
  return (
    <div>
      <Select
        label={field.title}
        description={hintOf(field)}
        data={data}
        value={current}
        error={errorOf(problem)}
        allowDeselect={false}
        onChange={next => onChange(next ?? undefined)}
      />
      {words && (
        <div className={classes.presets}>
          <WordChips words={words} value={current} onChange={onChange} />
        </div>
      )}
    </div>
  )
}

/** What the option does; undefined if its name says it. */
const hintOf = (field: OptionField) => field.description && <Described of={field} />

/** The unit after a number, kept on its line. */
const unitOf = (field: OptionField): string => (field['x-unit'] ? `\u00a0${field['x-unit']}` : '')

function NumberField({ field, value, problem, onChange }: Props) {
  const unit = unitOf(field)
  const { minimum, maximum } = field
  const range =
    minimum !== undefined && maximum !== undefined
      ? text('form.range', { minimum, maximum: quantity(maximum, field['x-unit']) })
      : undefined
  const shown = value ?? field.default
  const { 'x-presets': usual, 'x-words': words } = field
  if (usual) {
    return (
      <LimitField
        label={field.title}
        description={field.description}
        unit={field['x-unit'] ?? ''}
        usual={usual}
        minimum={minimum}
        maximum={maximum}
        allowDecimal={field.type === 'number'}
        value={isNumber(shown) ? shown : undefined}
        error={errorOf(problem)}
        onChange={onChange}
      />
    )
  }
  return (
    <div>
      <NumberInput
        label={field.title}
        description={hintOf(field) ?? range}
        placeholder={range}
        suffix={unit}
        min={minimum}
        max={maximum}
        clampBehavior="none"
        allowDecimal={field.type === 'number'}
        allowNegative={minimum === undefined || minimum < 0}
        value={typeof shown === 'number' ? shown : ''}
        error={errorOf(problem)}
        onChange={next => onChange(next === '' ? undefined : Number(next))}
      />
      {words && (
        <div className={classes.presets}>
          <WordChips words={words} value={shown} onChange={onChange} />
        </div>
      )}
    </div>
  )
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

function SliderOption({ field, shown, problem, onChange }: Props & { shown: number }) {
  const { minimum = 0, maximum = 100 } = field
  const size = useContext(ExpectedSize)
  const words = field['x-words']
  return (
    <SliderField
      words={words && <WordChips words={words} value={shown} onChange={onChange} />}
      label={field.title}
      description={field.description}
      unit={unitOf(field)}
      aside={field['x-affects-size'] && size !== null ? size : undefined}
      minimum={minimum}
      maximum={maximum}
      step={field.type === 'integer' ? 1 : 0.5}
      value={shown}
      error={errorOf(problem)}
      onChange={onChange}
    />
  )
}

function TimeOption({ field, value, problem, onChange }: Props) {
  return (
    <TimeField
      label={field.title}
      description={field.description}
      value={isNumber(value) ? value : undefined}
      fallback={isNumber(field.default) ? field.default : undefined}
      error={errorOf(problem)}
      onChange={onChange}
    />
  )
}

const SWATCHES = ['#ffffff', '#000000', '#808080', '#f2c056', '#17634a', '#2f6fb0', '#ad3425']

/** A colour as text, with a picker beside it; words such as `transparent` can be typed. */
function ColourField({ field, value, problem, onChange }: Props) {
  return (
    <ColorInput
      label={field.title}
      description={field.description}
      format="hex"
      fixOnBlur={false}
      swatches={SWATCHES}
      swatchesPerRow={SWATCHES.length}
      eyeDropperButtonProps={{ 'aria-label': text('form.colour') }}
      value={String(value ?? field.default ?? '')}
      error={errorOf(problem)}
      onChange={next => onChange(next || undefined)}
    />
  )
}

function TextField({ field, value, problem, onChange }: Props) {
  const Input = field['x-secret'] ? PasswordInput : TextInput
  return (
    <Input
      {...(field['x-secret'] ? { autoComplete: 'off' } : {})}
      label={field.title}
      description={field.description}
      value={String(value ?? field.default ?? '')}
      error={errorOf(problem)}
      onChange={event => onChange(event.currentTarget.value || undefined)}
    />
  )
}
