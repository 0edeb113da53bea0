/** The same worker as a process. */
import { describeFailure } from '../../service/sandbox/workers/failure.ts'
import { endWithService } from '../../service/sandbox/workers/lifeline.ts'
import type { FromWorker, ToWorker } from '../../service/sandbox/workers/protocol.ts'
import { work } from './conversion.ts'

const send = (answer: FromWorker) => process.send?.(answer)
const crash = () => process.kill(process.pid, 'SIGSEGV')

process.on('message', posted => {
  work(posted, { send, crash }).catch(error =>
    send({ type: 'failed', id: (posted as ToWorker).id, ...describeFailure(error) }),
  )
})
endWithService()
send({ type: 'ready' })
