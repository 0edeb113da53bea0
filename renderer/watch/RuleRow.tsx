import { Button, Stack } from '@mantine/core'
import { IconFolderSearch } from '@tabler/icons-react'
import type { WatchRule } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { Entry } from '../ui/list/Entry.tsx'
import { EntryAction } from '../ui/list/EntryAction.tsx'
import { useAction } from '../ui/useAction.ts'
import { nameOf } from './name.ts'
import { useWatch } from './store.ts'
import classes from './Watch.module.css'

interface Props {
  rule: WatchRule
  onChange: () => void
  onRemove: () => void
}

export function RuleRow({ rule, onChange, onRemove }: Props) {
  const { id, folder, out, pattern, paused, done, problem, moveTo, original, writing, last } = rule
  const { busy, act } = useAction()
  const name = nameOf(rule)
  const facts = [
    ...(pattern === '*' ? [] : [text('watch.only', { pattern })]),
    text('watch.into', { folder: out }),
    ...(moveTo === null ? [] : [text('watch.moves', { folder: moveTo })]),
    ...(original === 'recycle' ? [text('watch.recycles')] : []),
    text('watch.done', { value: done }),
    ...(writing === 0 ? [] : [text('watch.writing', { value: writing })]),
    ...(last === null ? [] : [text('watch.last', { file: last.file })]),
  ]
  return (
    <Entry
      name={name}
      title={folder}
      icon={<IconFolderSearch size={20} stroke={1.7} aria-hidden="true" />}
      badges={[paused ? text('watch.paused') : problem === null && text('watch.watching')]}
      facts={facts}
      idle={paused}
      actions={
        <>
          <EntryAction
            label={text(paused ? 'watch.resume' : 'watch.pause')}
            named={text(paused ? 'watch.resumeNamed' : 'watch.pauseNamed', { name })}
            loading={busy}
            onClick={() => void act(() => useWatch.getState().setPaused(id, !paused))}
          />
          <EntryAction
            label={text('watch.change')}
            named={text('watch.changeNamed', { name })}
            onClick={onChange}
          />
          <EntryAction
            label={text('common.remove')}
            named={text('watch.removeNamed', { name })}
            danger
            onClick={onRemove}
          />
        </>
      }
    >
      {problem !== null && <p className={classes.problem}>{problem}</p>}
      <Failed rule={rule} name={name} />
    </Entry>
  )
}

/** The files that are left alone because they could not be converted. */
function Failed({ rule: { id, failed }, name }: Pick<Props, 'rule'> & { name: string }) {
  const { busy, act } = useAction()
  if (failed.length === 0) return null
  return (
    <Stack gap={6} align="flex-start">
      <p className={classes.problem}>{text('watch.failed', { value: failed.length })}</p>
      <ul className={classes.reasons}>
        {failed.map(({ file, detail }) => (
          <li key={file}>
            <bdi>{file}</bdi>: {detail}
          </li>
        ))}
      </ul>
      <Button
        size="compact-sm"
        variant="light"
        loading={busy}
        aria-label={text('watch.retryNamed', { name })}
        onClick={() => void act(() => useWatch.getState().retry(id))}
      >
        {text('common.tryAgain')}
      </Button>
    </Stack>
  )
}
