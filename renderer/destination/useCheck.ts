import { useEffect, useState } from 'react'
import type { DestinationCheck, SaveTo } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'

/** How long typing must pause before the service is asked. */
const ASK_AFTER_MS = 180

const nothing: DestinationCheck = { example: null, problem: null }

export interface Example {
  fileId: string
  target: string
}

/** The name that a result would get with this choice, and what is wrong with the choice, according to the service. */
export function useCheck(saveTo: SaveTo, example: Example | null, preset: string | null): DestinationCheck {
  const [check, setCheck] = useState(nothing)
  const question = JSON.stringify({
    saveTo,
    ...(example && { example }),
    ...(preset !== null && { preset }),
  })
  useEffect(() => {
    let current = true
    const timer = setTimeout(() => {
      api.checkDestination(JSON.parse(question)).then(
        answer => current && setCheck(answer),
        () => current && setCheck(nothing),
      )
    }, ASK_AFTER_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [question])
  return check
}
