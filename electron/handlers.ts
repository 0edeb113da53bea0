import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { app, BrowserWindow, dialog, type IpcMainInvokeEvent, shell } from 'electron'
import { message } from '../service/shared/messages/message.ts'
import { portableName } from '../service/shared/names/names.ts'
import { accentColor } from './accent.ts'
import type { ServiceClient } from './client.ts'
import { type Handlers, ShellProblem, type ShellSettings, type ShellSettingsChange } from './ipc.ts'
import type { LinkedPage } from './links.ts'
import type { OpenedFiles } from './opened.ts'
import { popup } from './popup.ts'
import { saveAs, saveInto } from './save.ts'
import { setTheme } from './title-bar.ts'
import { translate } from './words.ts'

const windowOf = ({ sender }: IpcMainInvokeEvent): BrowserWindow => {
  const window = BrowserWindow.fromWebContents(sender)
  if (!window) throw new Error('A page without a window asked.')
  return window
}

/** Whether a path is absolute and on this machine: accessing a network path would reveal the user to its server. */
const isLocal = (path: string): boolean => isAbsolute(path) && !/^[\\/]{2}/.test(path)

export interface HandlerParts {
  client: ServiceClient
  opened: OpenedFiles
  /** Picture shown under the pointer while results are dragged. */
  dragIcon: string
  settings: () => ShellSettings
  changeSettings: (change: ShellSettingsChange) => void
  installUpdate: () => void
  takePage: () => LinkedPage | null
  setLanguage: (language: string) => Promise<void>
  expect: (isExpecting: boolean) => void
}

/** Handlers of the page's requests to the shell, by channel. */
export function createHandlers(parts: HandlerParts): Handlers {
  const { client, opened } = parts
  /** Paths of saved results, which the service knows: the page names jobs, not files. */
  const savedPaths = async (jobIds: string[]) => {
    const paths = await client.savedPaths(jobIds)
    if (paths.length === 0) throw new ShellProblem(translate(message('shell.not_saved')))
    return paths
  }
  return {
    reveal: path => {
      if (!isLocal(path) || !existsSync(path)) throw new ShellProblem(translate(message('shell.file_gone')))
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
      const [path = ''] = await savedPaths([jobId])
      const problem = await shell.openPath(path)
      if (problem !== '') throw new ShellProblem(problem)
      return null
    },

    dragOut: async (jobIds, { sender }) => {
      const files = await savedPaths(jobIds)
      sender.startDrag({ file: files[0] ?? '', files, icon: parts.dragIcon })
      return null
    },

    settings: () => parts.settings(),
    changeSettings: change => {
      parts.changeSettings(change)
      return parts.settings()
    },
    installUpdate: () => {
      parts.installUpdate()
      return null
    },

    takeOpened: () => opened.take(),
    takePage: () => parts.takePage(),
    setLanguage: async language => {
      await parts.setLanguage(language)
      return null
    },

    showMenu: (labels, event) => popup(labels, windowOf(event)),
    accentColor,
    setTheme: theme => {
      setTheme(theme)
      return null
    },
    expect: isExpecting => {
      parts.expect(isExpecting)
      return null
    },
  }
}
