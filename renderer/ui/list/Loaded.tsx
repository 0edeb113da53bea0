import { Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import { text } from '../../messages/text.ts'
import { type Reading, useReading } from '../reading.ts'
import { LoadFailed } from './LoadFailed.tsx'

interface Props<T> {
  from: Reading<T>
  children: (value: T) => ReactNode
}

/** What a store reads, once it has; until then that it is being read, or that it could not be. */
export function Loaded<T>({ from, children }: Props<T>) {
  const { value } = from
  useReading(from)
  return (
    <>
      {from.failed && <LoadFailed onRetry={() => void from.load()} />}
      {value === null && !from.failed && <Loader role="status" aria-label={text('common.loading')} />}
      {value !== null && children(value)}
    </>
  )
}
