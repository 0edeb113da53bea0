import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { app, BrowserWindow, dialog, type IpcMainInvokeEvent, Notification, shell } from 'electron'
import { portableName } from '../service/names/names.ts'
import type { ServiceClient } from './client.ts'
import { type Handlers, ShellProblem } from './ipc.ts'
import type { OpenedFiles } from './opened.ts'
import { saveAs, saveInto } from './save.ts'

const windowOf = ({ sender }: IpcMainInvokeEvent): BrowserWindow => {
  const window = BrowserWindow.fromWebContents(sender)
  if (!window) throw new Error('A page without a window asked.')
  return window
}

/** Whether a path is absolute and of this machine: looking at a network path would tell its server who asks. */
const isLocal = (path: string): boolean => isAbsolute(path) && !/^[\\/]{2}/.test(path)

/** What the shell does for the page, by channel. `focus` brings the window to the front. */
export function createHandlers(client: ServiceClient, opened: OpenedFiles, focus: () => void): Handlers {
  return {
    reveal: path => {
      if (!isLocal(path) || !existsSync(path)) throw new ShellProblem('That file is not there any more.')
      shell.showItemInFolder(path)
      return null
    },

    saveOutput: async ({ jobId, fileName }, event) => {
      const { canceled, filePath } = await dialog.showSaveDialog(windowOf(event), {
        defaultPath: join(app.getPath('downloads'), portableName(fileName, 'output')),
      })
      if (canceled || !filePath) return null
      await saveAs(filePath, await client.download(jobId))
      return filePath
    },

    saveOutputs: async (outputs, event) => {
      const { filePaths } = await dialog.showOpenDialog(windowOf(event), {
        defaultPath: app.getPath('downloads'),
        buttonLabel: 'Save Here',
        properties: ['openDirectory', 'createDirectory'],
      })
      const [folder] = filePaths
      if (!folder) return null
      for (const { jobId, fileName } of outputs) {
        await saveInto(folder, fileName, await client.download(jobId))
      }
      return folder
    },

    chooseFolder: async (current, event) => {
      const { filePaths } = await dialog.showOpenDialog(windowOf(event), {
        defaultPath: current !== null && isLocal(current) ? current : app.getPath('downloads'),
        buttonLabel: 'Choose',
        properties: ['openDirectory', 'createDirectory'],
      })
      return filePaths[0] ?? null
    },

    notify: ({ title, body }, event) => {
      if (windowOf(event).isFocused() || !Notification.isSupported()) return null
      const notification = new Notification({ title, body })
      notification.on('click', focus)
      notification.show()
      return null
    },

    takeOpened: () => opened.take(),
  }
}
