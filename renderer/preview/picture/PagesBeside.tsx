import { text } from '../../messages/text.ts'
import type { PictureContent } from '../content/content.ts'
import classes from './PagesBeside.module.css'

interface Props {
  before: PictureContent
  after: PictureContent
  name: string
}

/** Two pages side by side, for text that has new lines after a conversion. */
export const PagesBeside = ({ before, after, name }: Props) => (
  <div className={`${classes.pages} preview-side`}>
    <Page look={before} label={text('preview.before')} alt={name} />
    <Page look={after} label={text('preview.after')} alt={text('preview.after')} />
  </div>
)

const Page = ({ look, label, alt }: { look: PictureContent; label: string; alt: string }) => (
  <figure className={classes.page} aria-label={label}>
    <img className={classes.picture} src={look.file} alt={alt} draggable={false} />
    <figcaption className={classes.label}>{label}</figcaption>
  </figure>
)
