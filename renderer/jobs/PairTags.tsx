import { IconArrowRight } from '@tabler/icons-react'
import { text } from '../messages/text.ts'
import { FormatTag } from '../ui/FormatTag.tsx'
import classes from './PairTags.module.css'

interface Props {
  from: string
  to: string
}

/** Source and target of a conversion, as two tags. */
export function PairTags({ from, to }: Props) {
  return (
    <div className={classes.tags}>
      <FormatTag size="s" label={from} />
      <IconArrowRight className="towards" size={14} aria-hidden="true" />
      <span className="hidden-text">{text('jobs.to')}</span>
      <FormatTag size="s" label={to} />
    </div>
  )
}
