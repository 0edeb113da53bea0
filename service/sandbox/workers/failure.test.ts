import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { JobFailure } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import { describeFailure, explained } from './failure.ts'

test.each([
  ['a text called .jpg is no damaged picture', 'jpg', 'Dear Müller,\n\thello.\n', 'picture.is_text'],
  ['bytes of nothing known are', 'jpg', 'Dear\0\x01Müller', 'jobs.corrupt_input'],
  ['a vector graphic is text that may be damaged', 'svg', '<svg xmlns="', 'jobs.corrupt_input'],
  ['so is a table', 'csv', '"a,b', 'jobs.corrupt_input'],
] as const)('%s', async (_, format, content, key) => {
  const path = join(tmpdir(), `refile-${process.pid}-called.${format}`)
  await writeFile(path, content)
  const failure = await explained(new JobFailure('jobs.corrupt_input'), { path, format })
  expect(describeFailure(failure)).toMatchObject({ code: 'jobs.corrupt_input', reason: { key } })
})

test.each([
  new JobFailure('jobs.too_large'),
  new JobFailure('jobs.corrupt_input', message('svg.no_drawing')),
])('what failed for a reason of its own is left as it is: $reason.key', async failure => {
  expect(await explained(failure, { path: '/gone', format: 'svg' })).toBe(failure)
})
