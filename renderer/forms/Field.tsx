import { NumberInput, PasswordInput, SegmentedControl, Select, Switch, TextInput } from '@mantine/core'
import { useId } from 'react'
import type { OptionField } from '../../service/catalogue/options.ts'
import { text } from '../messages/text.ts'
import classes from './Field.module.css'
import { describeProblem } from './problem.ts'
import type { FieldProblem } from './schema.ts'

interface Props {
  field: OptionField
  /** Undefined while the default holds. */
  value: unknown
  problem: FieldProblem | undefined
  onChange: (value: unknown) => void
}

/** One option, in the control that suits its type. */
export function Field(props: Props) {
  const { field } = props
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
      description={field.description}
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
  return (
    <Select
      label={field.title}
      description={field.description}
      data={data}
      value={current}
      error={errorOf(problem)}
      allowDeselect={false}
      onChange={next => onChange(next ?? undefined)}
    />
  )
}

function NumberField({ field, value, problem, onChange }: Props) {
  const unit = field['x-unit'] ? ` ${field['x-unit']}` : ''
  const { minimum, maximum } = field
  const range =
    minimum !== undefined && maximum !== undefined
      ? text('form.range', { minimum, maximum, unit })
      : undefined
  const shown = value ?? field.default
  return (
    <NumberInput
      label={field.title}
      description={field.description ?? range}
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
