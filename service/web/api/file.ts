import { RequestError } from '../../shared/errors.ts'
import { render } from '../../shared/messages/render.ts'
import type { Job } from '../../store/interfaces/jobs.ts'
import { errorInWords } from '../../work/jobs/job.ts'
import { forRole } from '../http/access.ts'
import { disconnectSignal } from '../http/disconnect.ts'
import { statusOfFailure } from '../http/failures.ts'
import { sendBytes } from '../http/outputs.ts'
import { object, optional, type Routes, string } from '../http/schema.ts'
import type { Services } from '../services.ts'
import { Headers, LONGEST_WAIT_SECONDS, Query, secondsToWait, submit } from './convert.ts'

/** When to look at a job again that takes longer. */
const RETRY_SECONDS = 2
/** Clients take headers of 16 KiB together; what does not fit is in the status of the job. */
const WARNINGS_LENGTH = 4000

/** `POST /convert/file`: a submission whose answer is the output. */
export function fileRoutes(app: Routes, services: Services): void {
  const account = forRole('account', app)
  account.post(
    '/convert/file',
    {
      schema: {
        summary: 'Convert a file and get the result at once',
        description:
          'The same request as `POST /convert`; the answer is the output, as a download has it. Warnings are in `X-Service-Warnings`, a JSON array of sentences; `Content-Location` is the address of the output, and the job is kept as any other. A failed job is 422, or 500 if the service is to blame. One that takes longer than `Prefer: wait=N`, at most and by default 60 seconds, is 503, and goes on at the address in `Location`.',
        operationId: 'convertFile',
        querystring: Query,
        headers: object({
          ...Headers.properties,
          prefer: optional(
            string({ description: '`wait=N`: how many seconds the answer may take, at most 60.' }),
          ),
        }),
      },
    },
    async (request, reply) => {
      const signal = disconnectSignal(reply)
      const { id } = await submit({ request, services, signal })
      const seconds = secondsToWait(request) ?? LONGEST_WAIT_SECONDS
      const job = await services.jobs.ended(id, seconds * 1000, signal)
      if (!job) {
        reply.header('location', `/convert/job/${id}`)
        throw new RequestError('jobs.unfinished', undefined, { retryAfter: RETRY_SECONDS })
      }
      const failure = errorInWords(job)
      if (failure) {
        const { code, detail } = failure
        return reply.code(statusOfFailure(code)).send({ error: code, detail })
      }
      reply.header('content-location', `/convert/job/${id}/download`)
      if (job.warnings.length > 0) reply.header('x-service-warnings', warningsOf(job))
      // A range is of a resource that is read, which this is not.
      return sendBytes(job, services, {}, reply)
    },
  )
}

/** Warnings as JSON in ASCII, as many as a header holds. */
function warningsOf({ warnings }: Job): string {
  const sentences = warnings.map(warning => render(warning))
  const text = () =>
    JSON.stringify(sentences).replaceAll(
      /[^ -~]/g,
      character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
  while (text().length > WARNINGS_LENGTH) sentences.pop()
  return text()
}
