import { Button, FileButton, Input } from '@mantine/core'
import { useState } from 'react'
import { text } from '../messages/text.ts'
import { Described } from './Described.tsx'
import classes from './Field.module.css'
import { describeProblem, type FieldProps } from './problem.ts'

const ACCEPTED = 'image/png,image/jpeg,image/webp,image/gif'

/** A small picture as part of an option, chosen from a file: its value is a `data:` address. */
export function PictureField({ field, value, problem, onChange }: FieldProps) {
  const [isLarge, setLarge] = useState(false)
  const { maxLength = Number.POSITIVE_INFINITY } = field
  const take = async (file: File | null) => {
    if (!file) return
    const address = await addressOf(file)
    setLarge(address.length > maxLength)
    if (address.length <= maxLength) onChange(address)
  }
  return (
    <Input.Wrapper
      label={field.title}
      description={field.description && <Described of={field} />}
      error={isLarge ? text('form.pictureLarge') : describeProblem(problem)}
    >
      <div className={classes.pressed}>
        {typeof value === 'string' && <img className={classes.picture} src={value} alt="" />}
        <FileButton accept={ACCEPTED} onChange={file => void take(file)}>
          {props => (
            <Button {...props} size="xs" variant="default">
              {text('form.pictureChoose')}
            </Button>
          )}
        </FileButton>
        {value !== undefined && (
          <Button size="xs" variant="subtle" color="gray" onClick={() => onChange(undefined)}>
            {text('common.remove')}
          </Button>
        )}
      </div>
    </Input.Wrapper>
  )
}

const addressOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(new Error('The file cannot be read.', { cause: reader.error }))
    reader.readAsDataURL(file)
  })
