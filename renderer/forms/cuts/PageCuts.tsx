import { Box } from '@mantine/core'
import { IconScissors } from '@tabler/icons-react'
import { useContext } from 'react'
import { text } from '../../messages/text.ts'
import { Surroundings } from '../surroundings.ts'
import { cutsOf, partsOf } from './cuts.ts'
import classes from './PageCuts.module.css'

/** Up to so many pages are shown: more are found sooner by their numbers. */
const SHOWN = 500

interface Props {
  parts: unknown
  title: string
  onChange: (parts: string | undefined) => void
}

/** The pages of a PDF in a row: a press between two of them cuts there, and fills in the parts as they would be typed. */
export function PageCuts({ parts, title, onChange }: Props) {
  const { pages: source } = useContext(Surroundings)
  if (!source || source.pages > SHOWN) return null
  const { pages, picture } = source
  const cuts = cutsOf(parts, pages)
  const toggled = (page: number) => new Set(cuts).symmetricDifference(new Set([page]))
  return (
    <ol className={`${classes.pages} plain-list`} aria-label={title}>
      {Array.from({ length: pages }, (_, index) => index + 1).map(page => (
        <Box key={page} component="li" display="flex" ta="center">
          <span className="fine numbers">
            {picture(page)}
            {page}
          </span>
          {page < pages && (
            <button
              type="button"
              className={classes.cut}
              aria-pressed={cuts.has(page)}
              aria-label={text('form.cutAfter', { page })}
              onClick={() => onChange(partsOf(toggled(page), pages))}
            >
              <IconScissors size={16} stroke={1.8} aria-hidden="true" />
            </button>
          )}
        </Box>
      ))}
    </ol>
  )
}
