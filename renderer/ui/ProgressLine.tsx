import classes from './ProgressLine.module.css'

interface Props {
  label: string
  /** 0 to 100. */
  percent: number
}

export function ProgressLine({ label, percent }: Props) {
  const value = Math.max(0, Math.min(100, Math.round(percent)))
  return (
    <div
      className={classes.track}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value}
    >
      <div className={classes.bar} style={{ transform: `scaleX(${value / 100})` }} />
    </div>
  )
}
