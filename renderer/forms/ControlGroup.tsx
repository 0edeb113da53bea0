import type { ReactNode } from 'react'
import classes from './ControlGroup.module.css'

interface Props {
  title: string | undefined
  children: ReactNode
}

/** Several controls of one group of options under its title. */
export const ControlGroup = ({ title, children }: Props) => (
  <fieldset>
    <legend className={classes.legend}>{title}</legend>
    {children}
  </fieldset>
)
