import { Box } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'

/** Marks what is chosen in a menu, and keeps the place of the mark beside everything else. */
export const MenuCheck = ({ on }: { on: boolean }) =>
  on ? <IconCheck size={16} stroke={1.8} aria-hidden="true" /> : <Box w={16} />
