import { Button } from '@mantine/core'
import { text } from '../messages/text.ts'
import { PageFrame } from '../ui/PageFrame.tsx'
import classes from './ConvertView.module.css'
import { FailedFiles } from './FailedFiles.tsx'
import { FilePicker } from './FilePicker.tsx'
import { Folder } from './Folder.tsx'
import { GroupCard } from './GroupCard.tsx'
import { Intake } from './Intake.tsx'
import { usePlan } from './plan.ts'
import { Summary } from './Summary.tsx'
import { SupportedFormats } from './SupportedFormats.tsx'
import { useConvert } from './store.ts'
import { UnknownFiles } from './UnknownFiles.tsx'

interface Props {
  /** Whether files hover over the window. */
  dropping: boolean
}

export function ConvertView({ dropping }: Props) {
  const entries = useConvert(state => state.entries)
  const remove = useConvert(state => state.remove)
  const plan = usePlan()

  if (entries.size === 0) {
    return (
      <PageFrame title={text('convert.title')}>
        <Folder open={dropping} />
        <SupportedFormats />
      </PageFrame>
    )
  }

  return (
    <PageFrame
      title={text('convert.title')}
      actions={
        <>
          <FilePicker compact />
          <Button variant="subtle" color="gray" onClick={() => remove([...entries.keys()])}>
            {text('convert.removeAll')}
          </Button>
        </>
      }
    >
      <div className={classes.layout}>
        <div className={classes.files}>
          <Intake entries={entries} />
          <FailedFiles entries={entries} />
          {plan.groups.map(each => (
            <GroupCard key={each.group.format} plan={each} />
          ))}
          {plan.unknown.length > 0 && <UnknownFiles files={plan.unknown} />}
          <p className={classes.more} data-dropping={dropping || undefined}>
            {dropping ? text('convert.dropActive') : text('convert.dropMore')}
          </p>
        </div>
        {plan.groups.length > 0 && <Summary plan={plan} />}
      </div>
    </PageFrame>
  )
}
