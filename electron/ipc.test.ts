import type { IpcMain } from 'electron'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Channel } from './ipc.ts'
import { type Handlers, ShellProblem, serveChannels } from './serve-channels.ts'

const ORIGIN = 'http://127.0.0.1:7421'
const JOB = '0191e8a0-0000-7000-8000-000000000000'

/** One valid request for every channel: the table guarantees that there are no others. */
const good: { [C in Channel]: unknown } = {
  reveal: '/home/me/a.png',
  saveOutput: { jobId: JOB, fileName: 'a.png' },
  saveOutputs: [{ jobId: JOB, fileName: 'a.png' }],
  chooseFolder: '/home/me',
  openOutput: JOB,
  settings: null,
  changeSettings: { keepRunning: true, startAtLogin: false },
  installUpdate: null,
  takeOpened: null,
  takePage: null,
  setLanguage: 'de',
  setTheme: 'dark',
  accentColor: null,
  showMenu: ['Open', null, 'Remove'],
  expect: true,
}
const channels = Object.keys(good) as Channel[]

const served = new Map<string, (event: unknown, request: unknown) => Promise<unknown>>()
const onUnexpectedError = vi.fn()
let handlers: { [C in Channel]: ReturnType<typeof vi.fn> }

beforeEach(() => {
  served.clear()
  onUnexpectedError.mockReset()
  handlers = Object.fromEntries(channels.map(channel => [channel, vi.fn(() => 'answer')])) as typeof handlers
  const ipcMain = { handle: (channel: string, handler: never) => void served.set(channel, handler) }
  serveChannels(
    ipcMain as Pick<IpcMain, 'handle'>,
    ORIGIN,
    handlers as unknown as Handlers,
    onUnexpectedError,
  )
})

const call = (channel: Channel, url: string | undefined, request: unknown) =>
  served.get(channel)!({ senderFrame: url === undefined ? null : { url } }, request)

describe.each(channels)('%s', channel => {
  test('answers the page', async () => {
    expect(await call(channel, `${ORIGIN}/history`, good[channel])).toEqual({ ok: true, answer: 'answer' })
    expect(handlers[channel]).toHaveBeenCalledWith(good[channel], expect.anything())
  })

  test.each([
    undefined,
    '',
    'about:blank',
    'https://example.com/',
    'http://127.0.0.1:80/',
    'https://127.0.0.1:7421/',
    'http://127.0.0.1:7421.example.com/',
    'http://127.0.0.1:7421@example.com/',
    'file:///tmp/a.html',
  ])('refuses a frame at %s', async url => {
    await expect(call(channel, url, good[channel])).rejects.toThrow('Refused')
    expect(handlers[channel]).not.toHaveBeenCalled()
  })
})

test.each<[Channel, unknown]>([
  ['reveal', 7],
  ['reveal', 'x'.repeat(5000)],
  ['saveOutput', null],
  ['saveOutput', { jobId: '../../keys', fileName: 'a' }],
  ['saveOutput', { jobId: `${JOB}/../x`, fileName: 'a' }],
  ['saveOutput', { jobId: JOB }],
  ['saveOutputs', { jobId: JOB, fileName: 'a' }],
  ['saveOutputs', [{ jobId: 'x', fileName: 'a' }]],
  ['saveOutputs', Array(1001).fill({ jobId: JOB, fileName: 'a' })],
  ['chooseFolder', 7],
  ['chooseFolder', 'x'.repeat(5000)],
  ['openOutput', '/etc/passwd'],
  ['openOutput', null],
  ['changeSettings', null],
  ['changeSettings', { keepRunning: 'yes' }],
  ['changeSettings', { bounds: true }],
  ['showMenu', []],
  ['showMenu', ['Open', 7]],
  ['showMenu', Array(31).fill('Open')],
  ['takePage', 'settings'],
  ['takeOpened', {}],
])('%s refuses %j', async (channel, request) => {
  await expect(call(channel, `${ORIGIN}/`, request)).rejects.toThrow(`not a request for ${channel}`)
  expect(handlers[channel]).not.toHaveBeenCalled()
})

test('reports problems that people can solve, and only logs the others', async () => {
  handlers.reveal.mockRejectedValueOnce(new ShellProblem('That file no longer exists.'))
  expect(await call('reveal', `${ORIGIN}/`, '/a')).toEqual({
    ok: false,
    problem: 'That file no longer exists.',
  })
  expect(onUnexpectedError).not.toHaveBeenCalled()

  const bug = new TypeError('/home/me/secret is not a function')
  handlers.reveal.mockRejectedValueOnce(bug)
  const reply = (await call('reveal', `${ORIGIN}/`, '/a')) as { ok: boolean; problem: string }
  expect(reply.ok).toBe(false)
  expect(reply.problem).not.toContain('secret')
  expect(onUnexpectedError).toHaveBeenCalledWith(bug)
})
