import classes from './FormatTag.module.css'

interface Props {
  /** Name for people, such as `JPEG`. */
  label: string
  category: string | null
  size?: 's' | 'm' | 'l'
}

/** The tab of a file of one format, in the colour of its category. */
export function FormatTag({ label, category, size = 'm' }: Props) {
  return (
    <span className={classes.tag} data-category={category ?? undefined} data-size={size}>
      {label}
    </span>
  )
}
