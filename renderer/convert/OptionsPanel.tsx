import { Button, Collapse, Loader } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconChevronDown } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { TargetChoice } from '../../service/app/types.ts'
import { SchemaForm } from '../forms/SchemaForm.tsx'
import { changedValues, countFields } from '../forms/schema.ts'
import { text } from '../messages/text.ts'
import classes from './OptionsPanel.module.css'
import type { GroupPlan } from './plan.ts'
import { pairOf, useConvert } from './store.ts'

interface Props {
  plan: GroupPlan
  target: TargetChoice
}

/** The options of one pair, folded away until they are wanted. */
export function OptionsPanel({ plan, target }: Props) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const setOption = useConvert(state => state.setOption)
  const resetOptions = useConvert(state => state.resetOptions)
  const { group, schema, values, problems } = plan
  const pair = pairOf(group.format, target.target)

  if (schema === 'loading' || schema === null) {
    return (
      <div className={classes.bar}>
        <Loader size={15} role="status" aria-label={text('common.loading')} />
      </div>
    )
  }
  if (schema === 'failed') return <p className={classes.bar}>{text('convert.optionsFailed')}</p>
  if (countFields(schema.properties) === 0) return null

  const changed = leaves(changedValues(schema.properties, values))
  const expanded = open || Object.keys(problems).length > 0
  return (
    <div className={classes.panel}>
      <div className={classes.bar}>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={expanded}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          <IconAdjustmentsHorizontal size={17} stroke={1.8} aria-hidden="true" />
          {text('convert.options')}
          {changed > 0 && (
            <span className={classes.changed}>{text('convert.optionsChanged', { value: changed })}</span>
          )}
          <IconChevronDown className={classes.chevron} size={16} stroke={1.8} aria-hidden="true" />
        </button>
        {changed > 0 && (
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => resetOptions(pair)}>
            {text('convert.resetOptions')}
          </Button>
        )}
      </div>
      <Collapse
        expanded={expanded}
        id={id}
        role="region"
        aria-label={text('convert.optionsFor', { from: group.label, to: target.label })}
      >
        <div className={classes.form}>
          <SchemaForm
            properties={schema.properties}
            values={values}
            problems={problems}
            onChange={(path, value) => setOption(pair, path, value)}
          />
        </div>
      </Collapse>
    </div>
  )
}

const leaves = (values: Record<string, unknown>): number =>
  Object.values(values).reduce<number>(
    (count, value) =>
      count + (typeof value === 'object' && value !== null ? leaves(value as Record<string, unknown>) : 1),
    0,
  )
