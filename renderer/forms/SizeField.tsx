import { Group, NumberInput, SegmentedControl, SimpleGrid, Switch } from '@mantine/core'
import { text } from '../messages/text.ts'
import { ControlGroup } from './ControlGroup.tsx'
import { FieldOf } from './Field.tsx'
import { describeProblem } from './problem.ts'
import classes from './SizeField.module.css'
import { type GroupControlProps, isGroup } from './schema.ts'
import { chosenSize, resultSize, sizeChoices, valuesOfSize } from './size.ts'

const numberOr = (value: number | boolean | undefined) => (typeof value === 'number' ? value : undefined)

/** Sizes of a picture as chips, with a field for a custom one. */
export function SizeField({ group, values, facts, problems, path, onChange }: GroupControlProps) {
  const [width, height] = [numberOr(facts.width), numberOr(facts.height)]
  const chosen = chosenSize(values)
  const isCustom = chosen === 'custom' || chosen === 'half'
  const side = (name: string) => (
    <FieldOf key={name} {...{ name, siblings: group.properties, values, problems, path, onChange }} />
  )
  const { enlarge, value } = group.properties
  // What has no such switch is drawn at any size.
  const result = resultSize(enlarge ? values : { ...values, enlarge: true }, { width, height })
  const names: Record<string, string> = {
    off: text('form.sizeOff'),
    half: text('form.sizeHalf'),
    custom: text('form.sizeCustom'),
    exact: text('form.sizeExact'),
  }
  const percent = values.mode === 'percentage'
  const bounds = value && !isGroup(value) ? { min: value.minimum, max: value.maximum } : {}
  return (
    <ControlGroup of={group}>
      <div className={classes.size}>
        <Group gap={6} align="stretch">
          {sizeChoices(group).map(({ key, label }) => (
            <button
              key={key}
              type="button"
              className={`${classes.chip} hoverable tinted`}
              aria-pressed={chosen === key}
              onClick={() =>
                onChange(
                  path,
                  valuesOfSize(key, values, { ...(width && { width }), ...(height && { height }) }),
                )
              }
            >
              {label ?? names[key]}
            </button>
          ))}
        </Group>
        {isCustom && (
          <Group gap={8} align="end" wrap="nowrap">
            <NumberInput
              flex={1}
              label={percent ? text('form.sizePercent') : text('form.sizeValue')}
              suffix={percent ? '\u00a0%' : '\u00a0px'}
              {...bounds}
              clampBehavior="none"
              allowDecimal={false}
              value={typeof values.value === 'number' ? values.value : ''}
              error={describeProblem(problems[[...path, 'value'].join('.')])}
              onChange={next => onChange([...path, 'value'], next === '' ? undefined : Number(next))}
            />
            <SegmentedControl
              aria-label={text('form.sizeUnit')}
              data={[
                { value: 'pixels', label: 'px' },
                { value: 'percentage', label: '%' },
              ]}
              value={percent ? 'percentage' : 'pixels'}
              onChange={mode => onChange([...path, 'mode'], mode)}
            />
          </Group>
        )}
        {chosen === 'exact' && (
          <>
            <SimpleGrid cols={2} spacing={8}>
              {['width', 'height'].map(side)}
            </SimpleGrid>
            {side('fit')}
          </>
        )}
        {result && width && height && (result.width !== width || result.height !== height) && (
          <p className="numbers fine">
            {text('form.sizeResult', { width, height, newWidth: result.width, newHeight: result.height })}
          </p>
        )}
        {chosen !== 'off' && enlarge && !isGroup(enlarge) && (
          <Switch
            label={enlarge.title}
            checked={values.enlarge === true}
            onChange={event => onChange([...path, 'enlarge'], event.currentTarget.checked)}
          />
        )}
      </div>
    </ControlGroup>
  )
}
