import type { ReactNode } from 'react'

/** Several controls of one group of options under its title. */
export const ControlGroup = ({ title, children }: { title: string | undefined; children: ReactNode }) => (
  <fieldset>
    <legend className="field-label">{title}</legend>
    {children}
  </fieldset>
)
