import { text } from '../messages/text.ts'
import { ControlGroup } from './ControlGroup.tsx'
import { describeProblem } from './problem.ts'
import { type GroupControlProps, isGroup } from './schema.ts'
import { TimeField } from './TimeField.tsx'
import classes from './TrimField.module.css'

/** The part of a recording that is kept, as two times. */
export function TrimField({ group, values, facts, problems, path, onChange }: GroupControlProps) {
  const seconds = typeof facts.seconds === 'number' ? facts.seconds : undefined
  const { start, end } = values
  const isEmpty = typeof end === 'number' && end <= (typeof start === 'number' ? start : 0)
  const isPast = typeof start === 'number' && seconds !== undefined && start >= seconds
  return (
    <ControlGroup title={group.title}>
      <div className={classes.times}>
        {Object.entries(group.properties).map(([key, field]) => {
          if (isGroup(field)) return null
          const here = [...path, key]
          const problem = problems[here.join('.')]
          const value = values[key]
          return (
            <TimeField
              key={key}
              label={field.title}
              value={typeof value === 'number' ? value : undefined}
              fallback={key === 'end' ? seconds : 0}
              error={problem && describeProblem(problem)}
              onChange={next => onChange(here, next)}
            />
          )
        })}
      </div>
      {(isEmpty || isPast) && <p className={classes.wrong}>{text('form.trimEmpty')}</p>}
      {group.description && <p className={classes.hint}>{group.description}</p>}
    </ControlGroup>
  )
}
