import { setTimeout as delay } from 'node:timers/promises'
import { describeFailure } from '../../service/sandbox/workers/failure.ts'
import type { FromWorker, ToWorker } from '../../service/sandbox/workers/protocol.ts'
import type { Exit, Spawn } from '../../service/sandbox/workers/spawn.ts'
import { work } from './conversion.ts'

/** Killing a real worker takes at least this long. */
const KILL_MS = 1

/** Workers without a process of their own, which start instantly. Their files are real. */
export const instantWorkers: Spawn = () => {
  const killed = new AbortController()
  let emit: (message: unknown) => void = () => {}
  const { promise: exited, resolve: exit } = Promise.withResolvers<Exit>()
  const send = (answer: FromWorker) => {
    if (!killed.signal.aborted) emit(answer)
  }
  const crash = () => exit({ code: null, signal: 'SIGSEGV' })
  setImmediate(() => send({ type: 'ready' }))
  return {
    pid: undefined,
    post: posted => {
      work(posted, { send, crash, signal: killed.signal }).catch(error =>
        send({ type: 'failed', id: (posted as ToWorker).id, ...describeFailure(error) }),
      )
    },
    kill: async () => {
      killed.abort()
      await delay(KILL_MS)
      exit({ code: null, signal: 'SIGKILL' })
    },
    printed: () => '',
    onMessage: listener => {
      emit = listener
    },
    onExit: listener => void exited.then(listener),
  }
}
