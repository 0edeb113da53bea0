import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { app, BrowserWindow, dialog, type IpcMainInvokeEvent, shell } from 'electron'
import { message } from '../service/shared/messages/message.ts'
import { portableName } from '../service/shared/names/names.ts'
import { accentColor } from './accent.ts'
import type { ServiceClient } from './client.ts'
import type { OpenedFiles } from './opened.ts'
import { popup } from './popup.ts'
import { saveAs, saveInto } from './save.ts'
import { type Handlers, ShellProblem } from './serve-channels.ts'
import { setTheme } from './title-bar.ts'
import { translate } from './words.ts'

const windowOf = ({ sender }: IpcMainInvokeEvent): BrowserWindow => {
  const window = BrowserWindow.fromWebContents(sender)
  if (!window) throw new Error('A page without a window asked.')
  return window
}

/** Whether a path is absolute and on this machine: accessing a network path would reveal the user to its server. */
const isLocal = (path: string): boolean => isAbsolute(path) && !/^[\\/]{2}/.test(path)

type Own = 'settings' | 'changeSettings' | 'installUpdate' | 'takePage' | 'setLanguage' | 'expect'

/** What answers some channels itself, and what the others need. */
export interface HandlerParts extends Pick<Handlers, Own> {
  client: ServiceClient
  opened: OpenedFiles
}

/** Handlers of the page's requests to the shell, by channel. */
export function createHandlers({ client, opened, ...own }: HandlerParts): Handlers {
  return {
    ...own,
    reveal: path => {
      if (!isLocal(path) || !existsSync(path)) throw new ShellProblem(translate(message('shell.file_gone')))
      shell.showItemInFolder(path)
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
        buttonLabel: translate(message('shell.save_here')),
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
        buttonLabel: translate(message('shell.choose')),
        properties: ['openDirectory', 'createDirectory'],
      })
      return filePaths[0] ?? null
    },

    openOutput: async jobId => {
      // The service knows where results were saved: the page names jobs, not files.
      const [path] = await client.savedPaths([jobId])
      if (path === undefined) throw new ShellProblem(translate(message('shell.not_saved')))
      const problem = await shell.openPath(path)
      if (problem !== '') throw new ShellProblem(problem)
    },

    takeOpened: () => opened.take(),
    showMenu: (labels, event) => popup(labels, windowOf(event)),
    accentColor,
    setTheme,
  }
}
