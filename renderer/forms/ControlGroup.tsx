import type { ReactNode } from 'react'

interface Props {
  title: string | undefined
  children: ReactNode
}

/** Several controls of one group of options under its title. */
export const ControlGroup = ({ title, children }: Props) => (
  <fieldset>
    <legend className="field-label">{title}</legend>
    {children}
  </fieldset>
)
