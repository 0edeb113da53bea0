import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { OptionGroup } from '../../service/convert/catalogue/options.ts'
import { Described } from './Described.tsx'

/** Several controls of one group of options under its title, and what the group does. */
export const ControlGroup = ({ of: group, children }: { of: OptionGroup; children: ReactNode }) => (
  <fieldset>
    <legend className="field-label">{group.title}</legend>
    {children}
    {group.description && (
      <Text className="fine" m="6px 0 14px">
        <Described of={group} />
      </Text>
    )}
  </fieldset>
)
