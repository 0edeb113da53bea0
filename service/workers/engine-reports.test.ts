import { expect, test } from 'vitest'
import { rememberReports } from './engine-reports.ts'

const ffmpeg = (available: boolean) => ({ name: 'ffmpeg', version: null, available, hint: null })

test('an engine that is missing is asked for again, one that is there is not', async () => {
  let installed = false
  let asked = 0
  const reports = rememberReports(async () => {
    asked++
    return [ffmpeg(installed)]
  })
  expect(await reports()).toMatchObject([{ available: false }])
  installed = true
  expect(await reports()).toMatchObject([{ available: true }])
  expect(await reports()).toMatchObject([{ available: true }])
  expect(asked).toBe(2)
})

test('a question that failed is asked again; those at the same time are one', async () => {
  let asked = 0
  const reports = rememberReports(async () => {
    if (++asked === 1) throw new Error('no worker')
    return [ffmpeg(true)]
  })
  await expect(Promise.all([reports(), reports()])).rejects.toThrow('no worker')
  expect(await reports()).toHaveLength(1)
  expect(asked).toBe(2)
})
