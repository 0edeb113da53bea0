import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { type Asked, type Channel, channels, type DesktopBridge, LINKED, OPENED, type Reply } from './ipc.ts'

/** The only bridge between the page and the shell. It runs sandboxed: only Electron's own module is available. */

async function ask(channel: Channel, request: unknown = null): Promise<unknown> {
  const reply = (await ipcRenderer.invoke(channel, request)) as Reply<Channel>
  if (!reply.ok) throw new Error(reply.problem)
  return reply.answer
}

/** Takes what the shell has for the page, now and at each signal. Returns a function that stops it. */
function onSignal(signal: string, take: () => Promise<void>): () => void {
  const listener = () => void take()
  ipcRenderer.on(signal, listener)
  listener()
  return () => void ipcRenderer.off(signal, listener)
}

const { takeOpened, takePage, ...asked } = Object.fromEntries(
  channels.map(channel => [channel, (request: unknown) => ask(channel, request)]),
) as Asked

const bridge: DesktopBridge = {
  ...asked,
  platform: process.platform,
  pathForFile: file => webUtils.getPathForFile(file),
  onLinked: listener =>
    onSignal(LINKED, async () => {
      const page = await takePage()
      if (page) listener(page)
    }),
  onOpened: listener =>
    onSignal(OPENED, async () => {
      const files = await takeOpened()
      if (files.length > 0) listener(files)
    }),
}

contextBridge.exposeInMainWorld('refile', bridge)
