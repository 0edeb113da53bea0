import { Button, Collapse, Group, Loader, Stack } from '@mantine/core'
import { IconChevronDown, IconRestore } from '@tabler/icons-react'
import { useEffect, useId, useMemo, useState } from 'react'
import { SchemaForm } from '../forms/SchemaForm.tsx'
import { changedValues, type Facts, findProblems, fitting, type Values } from '../forms/schema.ts'
import { text } from '../messages/text.ts'
import { countOthers, firstPaths, withPasswordFirst } from './arrange.ts'
import classes from './Options.module.css'
import { pairOf, useSchemas } from './schemas.ts'

interface Props {
  /** Source format and request key of the target. */
  from: string
  to: string
  /** Known facts about the file, or about all files that the options apply to; `unread` if one could not be read so far. */
  facts?: Facts
  /** The person's choices; defaults are left out. */
  values: Values
  /** `value` is undefined if an option returns to its default. */
  onChange: (path: readonly string[], value: unknown) => void
  /** Restores the defaults of all options. */
  onReset: () => void
}

const noFacts: Facts = {}

/** The options of a conversion: the most used ones, and all others behind a button. */
export function Options({ from, to, facts = noFacts, values, onChange, onReset }: Props) {
  const schema = useSchemas(state => state.schemas[pairOf(from, to)])
  const load = useSchemas(state => state.load)
  useEffect(() => {
    void load(from, to)
  }, [load, from, to])

  if (schema === undefined || schema === 'loading') {
    return <Loader size={15} role="status" aria-label={text('common.loading')} />
  }
  if (schema === 'failed') {
    return (
      <Stack gap={8} align="start" className="aside">
        {text('options.failed')}
        <Button size="compact-sm" variant="default" onClick={() => void load(from, to)}>
          {text('common.tryAgain')}
        </Button>
      </Stack>
    )
  }
  // Another pair begins with its list collapsed.
  return (
    <Form key={pairOf(from, to)} {...{ properties: schema.properties, facts, values, onChange, onReset }} />
  )
}

type FormProps = Required<Pick<Props, 'facts' | 'values' | 'onChange' | 'onReset'>> & {
  properties: Parameters<typeof fitting>[0]
}

function Form({ properties, facts, values, onChange, onReset }: FormProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const fit = useMemo(() => {
    const relevant = fitting(properties, facts)
    return facts.unread ? withPasswordFirst(relevant) : relevant
  }, [properties, facts])
  const problems = useMemo(() => findProblems(fit, values), [fit, values])
  const first = firstPaths(fit, values)
  const others = countOthers(fit, values, first)
  const isChanged = Object.keys(changedValues(fit, values)).length > 0
  const hasHiddenProblem = Object.keys(problems).some(
    path => ![...first].some(shown => path === shown || path.startsWith(`${shown}.`)),
  )
  const expanded = open || hasHiddenProblem
  if (first.size === 0) return <p className="aside">{text('options.none')}</p>
  const form = { properties: fit, values, problems, facts, onChange }
  return (
    <Stack gap={14} miw={0}>
      <SchemaForm {...form} only={first} />
      <Group gap={8} justify="space-between" wrap="nowrap" mih={28}>
        {others > 0 && (
          <button
            type="button"
            className={classes.all}
            aria-expanded={expanded}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          >
            {text('options.all')}
            <IconChevronDown size={16} stroke={1.8} aria-hidden="true" />
          </button>
        )}
        {isChanged && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconRestore size={15} stroke={1.8} aria-hidden="true" />}
            title={text('options.resetHint')}
            onClick={onReset}
          >
            {text('options.reset')}
          </Button>
        )}
      </Group>
      {others > 0 && (
        <Collapse expanded={expanded} id={id} role="region" aria-label={text('options.all')}>
          <SchemaForm {...form} except={first} />
        </Collapse>
      )}
    </Stack>
  )
}
