import { ActionIcon } from '@mantine/core'
import { IconFlipHorizontal, IconFlipVertical, IconRotate, IconRotateClockwise } from '@tabler/icons-react'
import type { OptionField } from '../../service/convert/catalogue/options.ts'
import classes from './Field.module.css'
import { enumLabel } from './schema.ts'

interface Props {
  field: OptionField & { enum: string[] }
  /** One of the values. */
  value: string
  onChange: (value: string) => void
}

const ICONS = { horizontal: IconFlipHorizontal, vertical: IconFlipVertical } as const

/** Turns a picture by a quarter at each press; the values are degrees clockwise, in their order. */
export function TurnField({ field, value, onChange }: Props) {
  const by = (quarters: number) => {
    const count = field.enum.length
    return field.enum[(field.enum.indexOf(value) + quarters + count) % count]!
  }
  const [left, right] = [field.enum.at(-1)!, field.enum[1]!]
  return (
    <fieldset className={classes.pressed}>
      <legend className="field-label">{field.title}</legend>
      <ActionIcon variant="default" aria-label={enumLabel(field, left)} onClick={() => onChange(by(-1))}>
        <IconRotate size={17} stroke={1.8} aria-hidden="true" />
      </ActionIcon>
      <ActionIcon variant="default" aria-label={enumLabel(field, right)} onClick={() => onChange(by(1))}>
        <IconRotateClockwise size={17} stroke={1.8} aria-hidden="true" />
      </ActionIcon>
      <span className={`${classes.hint} fine`} aria-live="polite">
        {enumLabel(field, value)}
      </span>
    </fieldset>
  )
}

/** Mirrors a picture; pressed again, the button of what applies undoes it. */
export function MirrorField({ field, value, onChange }: Props) {
  return (
    <fieldset className={classes.pressed}>
      <legend className="field-label">{field.title}</legend>
      {(['horizontal', 'vertical'] as const).map(way => {
        const Icon = ICONS[way]
        const isOn = value === way
        return (
          <ActionIcon
            key={way}
            variant={isOn ? 'filled' : 'default'}
            aria-pressed={isOn}
            aria-label={enumLabel(field, way)}
            onClick={() => onChange(isOn ? 'none' : way)}
          >
            <Icon size={17} stroke={1.8} aria-hidden="true" />
          </ActionIcon>
        )
      })}
    </fieldset>
  )
}
