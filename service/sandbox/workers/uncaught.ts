import { writeSync } from 'node:fs'
import { inspect } from 'node:util'
import { describeFailure } from './failure.ts'
import type { FromWorker } from './protocol.ts'

/**
 * Fails the running task with an error that nothing caught, so that the service logs it and ends this process. Without that a rejected
 * promise ends a process of Node's and is ignored in one of Electron's, whose task would then run until its time is over.
 * @param runningTask its id, if there is one
 */
export function failOnUncaught(
  runningTask: () => number | undefined,
  send: (message: FromWorker) => void,
): void {
  const fail = (thrown: unknown) => {
    const id = runningTask()
    // Nobody waits for this process, or nobody hears it any more.
    if (id === undefined || process.connected === false) {
      writeSync(2, `${inspect(thrown)}\n`)
      process.exit(1)
    }
    send({ type: 'failed', id, ...describeFailure(thrown), isUnexpected: true })
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
}
