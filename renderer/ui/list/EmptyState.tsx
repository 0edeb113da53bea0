import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './EmptyState.module.css'

/** Says what will be shown here and how to get it. */
export function EmptyState({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <Stack gap={0} align="center" px={20} pt="8vh" pb="10vh" ta="center">
      <svg className={classes.illustration} viewBox="0 0 120 84" aria-hidden="true">
        <path className={classes.back} d="M14 16c0-4 3-7 7-7h22c3 0 5 1 7 3l5 7h44c4 0 7 3 7 7v12H14z" />
        <path className={classes.sheet} d="M28 24h48c2 0 4 2 4 4v20H24V28c0-2 2-4 4-4z" />
        <path
          className={classes.front}
          d="M9 40c0-4 2-6 6-6h90c4 0 6 2 6 6l-4 32c0 3-3 5-6 5H19c-3 0-6-2-6-5z"
        />
      </svg>
      <Text component="h2" mb={4} fz="var(--text-lg)" fw={650}>
        {title}
      </Text>
      <Text maw="46ch" mb={20} c="var(--ink-2)">
        {text}
      </Text>
      {children}
    </Stack>
  )
}
