import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, testService } from '../../../testing/service.ts'
import { StoreUnavailable } from '../../store/interfaces/errors.ts'

const WARN = 40

interface Line {
  level: number
  msg: string
  jobId?: string
}

test('every line of the log about a job names it, whatever went wrong', async () => {
  const lines: Line[] = []
  const log = pino({ level: 'info' }, { write: line => void lines.push(JSON.parse(line)) })
  const service = await testService({ ...misbehaving, log })
  const { blobs, jobs } = service.services.stores
  const ids = new Set<string | undefined>()
  /** What is said about a job while it runs; that an earlier one is tidied up may be said among it. */
  const saidOf = async (behaviour: string, expected: string) => {
    lines.length = 0
    const { id } = await json<{ id: string }>(service.submit('a.jpg', behaviour, 'webp'))
    ids.add(id)
    await service.finished(id)
    await vi.waitFor(() =>
      expect(lines).toContainEqual(expect.objectContaining({ msg: expected, jobId: id })),
    )
    const about = lines.filter(({ level, msg }) => level >= WARN && !msg.includes('does not confine'))
    expect(
      about.filter(({ jobId }) => !ids.has(jobId)),
      behaviour,
    ).toEqual([])
  }
  await saidOf('abort', 'a worker process died')
  await saidOf('throw', 'a converter threw an error that no engine expected')
  await saidOf('fail-with-cause', 'a conversion failed')
  vi.spyOn(jobs, 'succeed').mockRejectedValueOnce(new StoreUnavailable('gone for a moment'))
  await saidOf('fine', 'something failed')
  vi.spyOn(blobs, 'remove').mockImplementation(async key => {
    throw new Error(`${key} cannot be deleted`)
  })
  await saidOf('fine', 'something failed')
})
