/** An output counts only if the program that made it exited successfully. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lively, make, mediaFolder, tool } from '../../../testing/fixtures/media.ts'
import { json, testService } from '../../../testing/service.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)

describe('ffmpeg that is killed', () => {
  it.each([
    ['before it writes anything', 'kill -9 $$'],
    ['with its output complete', '"$real" "$@"; kill -9 $$'],
  ])('%s fails the job, which is refunded', async (name, script) => {
    const real = tool('sh', '-c', 'command -v ffmpeg').trim()
    const located = `case "$*" in *-encoders*) exec "$real" "$@";; esac`
    const ffmpeg = at(`ffmpeg-${name.length}`)
    writeFileSync(ffmpeg, `#!/bin/sh\nreal=${real}\n${located}\n${script}\n`, { mode: 0o755 })
    const service = await testService({ ffmpeg })
    const wav = new Uint8Array(readFileSync(make(at('short.wav'), ...lively(1))))
    const { id } = await json<{ id: string }>(service.submit('short.wav', wav, 'mp3'))
    expect(await service.finished(id)).toMatchObject({
      status: 'Failed',
      error: { code: 'jobs.engine_crashed' },
      output: null,
    })
    expect(await service.balance()).toBe(500)
    // Files are deleted after the end of the job is published.
    await expect.poll(() => service.filesLeft()).toEqual([])
  })
})
