/** Where actions stand: on every page by their keys, in the palette, and in the menu of rows. */
import { addFiles, addFolder } from './add.ts'
import { groupings, orders } from './arrange.ts'
import { clearFinished, join, look, remove, removeAll, repeat, undo } from './list.ts'
import { openSettings, showCommands, showShortcuts } from './open.ts'
import { copy, download, openResult, showInFolder } from './results.ts'
import { cancelAll, convert, convertThese, pause, retry } from './run.tsx'

/** Those whose keys work on every page. */
export const everywhere = [
  ...[showCommands, showShortcuts, addFiles, addFolder, convert, pause, undo, openSettings],
]

/** Those of all files, as the palette lists them. */
export const ofAllFiles = [
  ...[addFiles, addFolder, convert, pause, cancelAll, retry, undo, join, download, clearFinished],
  ...[...groupings, ...orders, removeAll],
]

/** Those of selected files, in groups. */
export const ofRows = [
  [look, openResult, showInFolder, download, copy],
  [convertThese, retry, repeat, join],
  [remove],
]
