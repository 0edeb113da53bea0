import { contextBridge, ipcRenderer, webUtils } from 'electron'
import {
  type Channel,
  type Channels,
  type DesktopBridge,
  LINKED,
  OPENED,
  type OpenedFile,
  type Reply,
} from './ipc.ts'

/** The only bridge between the page and the shell. It runs sandboxed: only Electron's own module is available. */

async function ask<C extends Channel>(
  channel: C,
  request: Channels[C]['request'],
): Promise<Channels[C]['answer']> {
  const reply = (await ipcRenderer.invoke(channel, request)) as Reply<C>
  if (!reply.ok) throw new Error(reply.problem)
  return reply.answer
}

const bridge: DesktopBridge = {
  platform: process.platform,
  pathForFile: file => webUtils.getPathForFile(file),
  reveal: async path => void (await ask('reveal', path)),
  saveOutput: (jobId, fileName) => ask('saveOutput', { jobId, fileName }),
  saveOutputs: outputs => ask('saveOutputs', outputs),
  chooseFolder: current => ask('chooseFolder', current),
  openOutput: async jobId => void (await ask('openOutput', jobId)),
  dragOut: async jobIds => void (await ask('dragOut', jobIds)),
  settings: () => ask('settings', null),
  changeSettings: change => ask('changeSettings', change),
  installUpdate: async () => void (await ask('installUpdate', null)),
  setLanguage: async language => void (await ask('setLanguage', language)),
  accentColor: () => ask('accentColor', null),
  setTheme: async theme => void (await ask('setTheme', theme)),
  showMenu: labels => ask('showMenu', labels),
  expect: async isExpecting => void (await ask('expect', isExpecting)),
  onLinked: listener => {
    const take = async () => {
      const page = await ask('takePage', null)
      if (page) listener(page)
    }
    const onSignal = () => void take()
    ipcRenderer.on(LINKED, onSignal)
    onSignal()
    return () => void ipcRenderer.off(LINKED, onSignal)
  },
  onOpened: listener => {
    const take = async () => {
      const files: OpenedFile[] = await ask('takeOpened', null)
      if (files.length > 0) listener(files)
    }
    const onSignal = () => void take()
    ipcRenderer.on(OPENED, onSignal)
    onSignal()
    return () => void ipcRenderer.off(OPENED, onSignal)
  },
}

contextBridge.exposeInMainWorld('refile', bridge)
