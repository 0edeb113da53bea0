import type { IpcMain, IpcMainInvokeEvent } from 'electron'
import { message } from '../service/shared/messages/message.ts'
import { type Answer, type Channel, type Channels, channels, type Reply, shapes } from './ipc.ts'
import { translate } from './words.ts'

export type Handlers = {
  [C in Channel]: (
    request: Parameters<Channels[C]>[0],
    event: IpcMainInvokeEvent,
  ) => Promise<Answer<C>> | Answer<C>
}

/** A failure whose message is meant for the person at the window. */
export class ShellProblem extends Error {
  override readonly name = 'ShellProblem'
}

/** Whether a URL belongs to `origin`; malformed ones do not. */
export const hasOrigin = (url: string, origin: string): boolean =>
  URL.canParse(url) && new URL(url).origin === origin

/**
 * Answers every channel of the table, only for frames of `origin`.
 * @param onUnexpectedError called with errors that are not meant for people; the page then gets a general sentence
 */
export function serveChannels(
  ipcMain: Pick<IpcMain, 'handle'>,
  origin: string,
  handlers: Handlers,
  onUnexpectedError: (error: unknown) => void,
): void {
  for (const channel of channels) {
    ipcMain.handle(channel, async (event, request: unknown): Promise<Reply<Channel>> => {
      if (!hasOrigin(event.senderFrame?.url ?? '', origin)) throw new Error('Refused: not a page of Refile.')
      if (!shapes[channel](request)) throw new Error(`Refused: not a request for ${channel}.`)
      try {
        return { ok: true, answer: await handlers[channel](request as never, event) }
      } catch (error) {
        if (error instanceof ShellProblem) return { ok: false, problem: error.message }
        onUnexpectedError(error)
        return { ok: false, problem: translate(message('shell.unexpected')) }
      }
    })
  }
}
