import classes from './FormatTag.module.css'

interface Props {
  /** Name for people, such as `JPEG`. */
  label: string
  size?: 's' | 'm'
}

/** The tab of a file of one format. */
export function FormatTag({ label, size = 'm' }: Props) {
  return (
    <span className={`${classes.tag} ellipsis`} data-size={size}>
      {label}
    </span>
  )
}
