/** Where actions stand: on every page by their keys, in the palette, and in the menu of rows. */
import { addFiles } from './add-files.ts'
import { addFolder } from './add-folder.ts'
import { groupings, orders } from './arrange.ts'
import { cancelAll } from './cancel-all.ts'
import { clearFinished } from './clear-finished.ts'
import { convert } from './convert.ts'
import { convertThese } from './convert-these.ts'
import { copy } from './copy.ts'
import { download } from './download.ts'
import { join } from './join.ts'
import { look } from './look.ts'
import { openResult } from './open-result.ts'
import { openSettings } from './open-settings.ts'
import { pause } from './pause.tsx'
import { remove, removeAll } from './remove.ts'
import { rename } from './rename.ts'
import { repeat } from './repeat.ts'
import { retry } from './retry.ts'
import { showCommands } from './show-commands.ts'
import { showInFolder } from './show-in-folder.ts'
import { showShortcuts } from './show-shortcuts.ts'
import { undo } from './undo.ts'

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
  [look, openResult, showInFolder, download, copy, rename],
  [convertThese, retry, repeat, join],
  [remove],
]
