import { text } from '../../messages/text.ts'
import type { TextContent } from './content.ts'
import classes from './TextSide.module.css'

/** The beginning of a text. */
export const TextSide = ({ look }: { look: TextContent }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls is reached by the keyboard
  <section className={classes.side} tabIndex={0} aria-label={text('preview.title')}>
    <pre className={classes.text} dir="auto">
      {look.text}
    </pre>
    {!look.isWhole && <p className={`${classes.more} aside`}>{text('preview.textGoesOn')}</p>}
  </section>
)
