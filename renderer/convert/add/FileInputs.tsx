import type { ChangeEvent } from 'react'
import { text } from '../../messages/text.ts'
import { filesOfList } from '../state/submit/collect.ts'
import { addFiles } from './add.ts'

const FILES = 'file-input'
const FOLDER = 'folder-input'

const click = (id: string) => () => document.getElementById(id)?.click()

/** Opens the system's file dialog and adds the chosen files. */
export const pickFiles = click(FILES)
/** The same for a folder: a browser's dialog selects either files or a folder. */
export const pickFolder = click(FOLDER)

const take = (event: ChangeEvent<HTMLInputElement>) => {
  const list = filesOfList(event.currentTarget.files ?? [])
  event.currentTarget.value = ''
  void addFiles(list)
}

/** The hidden inputs behind the dialogs, present on every page. */
export function FileInputs() {
  const field = { className: 'hidden-text', type: 'file', multiple: true, tabIndex: -1, onChange: take }
  return (
    <>
      <input id={FILES} aria-label={text('convert.fileInput')} {...field} />
      <input id={FOLDER} aria-label={text('convert.folderInput')} {...field} {...{ webkitdirectory: '' }} />
    </>
  )
}
