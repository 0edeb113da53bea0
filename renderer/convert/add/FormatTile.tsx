import classes from './FormatTile.module.css'

interface Props {
  label: string
  category: string | null
}

const LONGEST = 5

/** A sheet of paper with the name of a format, in the colour of its category. */
export const FormatTile = ({ label, category }: Props) => (
  <div className={classes.tile} data-category={category ?? undefined} aria-hidden="true">
    {label.slice(0, LONGEST).toUpperCase()}
  </div>
)
