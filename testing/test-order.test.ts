import { expect, test } from 'vitest'
import { filesByProject } from './test-order.ts'

test('test files share a process with their like, as what they import says', () => {
  const { alone, programs, engines, shared } = filesByProject('service/**/*.test.ts')
  expect(alone).toContain('service/convert/engines/media/ffmpeg/locate.test.ts')
  expect(programs).toContain('service/convert/converters/video/pairs.test.ts')
  expect(engines).toContain('service/convert/converters/images/pairs.test.ts')
  expect(shared).toContain('service/work/jobs/life.test.ts')
})
