import { Button, TextInput } from '@mantine/core'
import { lazy, useState } from 'react'
import { desktop } from '../api/desktop.ts'
import { text } from '../messages/text.ts'
import { notifyProblem } from '../ui/notify.ts'
import { OnceOpened } from '../ui/OnceOpened.tsx'
import classes from './Watch.module.css'

const FolderDialog = lazy(async () => ({
  default: (await import('../destination/FolderDialog.tsx')).FolderDialog,
}))

interface Props {
  label: string
  hint?: string
  value: string
  error?: string | null
  onChange: (path: string) => void
}

/** The path of a folder, typed or chosen. */
export function FolderField({ label, hint, value, error = null, onChange }: Props) {
  const [browsing, setBrowsing] = useState(false)
  const choose = async () => {
    const { chooseFolder } = desktop()
    if (!chooseFolder) return setBrowsing(true)
    try {
      const chosen = await chooseFolder(value || null)
      if (chosen !== null) onChange(chosen)
    } catch (problem) {
      notifyProblem(problem)
    }
  }
  return (
    <div className={classes.folder}>
      <TextInput
        className={classes.path ?? ''}
        label={label}
        {...(hint === undefined ? {} : { description: hint })}
        error={error}
        value={value}
        spellCheck={false}
        onChange={event => onChange(event.currentTarget.value)}
      />
      <Button
        variant="default"
        aria-label={text('watch.browseNamed', { field: label })}
        onClick={() => void choose()}
      >
        {text('watch.browse')}
      </Button>
      <OnceOpened opened={browsing}>
        <FolderDialog
          opened={browsing}
          start={value || null}
          confirm={text('watch.browse')}
          onClose={() => setBrowsing(false)}
          onChoose={onChange}
        />
      </OnceOpened>
    </div>
  )
}
