import { hasOutput } from '../../jobs/output.ts'
import { text } from '../../messages/text.ts'
import { useSentOptions } from '../../options/schemas.ts'
import { Preview } from '../../preview/Preview.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { noOptions } from '../state/rows/new-row.ts'
import { choiceOfRow, stageOf } from '../state/rows/row.ts'
import { useView } from '../state/rows/view.ts'
import { useTable } from '../state/store.ts'

/** A file in the whole window, beside its result or what it would become. The key that opens it closes it. */
export function QuickLook() {
  const key = useView(state => state.looking)
  const row = useTable(state => (key === null ? undefined : state.rows.get(key)))
  const options = useSentOptions(row?.format ?? null, row?.target ?? null, row?.options ?? noOptions)
  const close = () => {
    const { look, focusLine } = useView.getState()
    look(null)
    focusLine()
  }
  if (!row || row.fileId === null) return null
  const { fileId, format, item, kind, name, target } = row
  const job = stageOf(row) === 'done' ? item?.job : null
  const result = job && hasOutput(job, Date.now()) ? job : null
  const chosen = choiceOfRow(row, target)
  return (
    <Dialog
      opened
      onClose={close}
      fullScreen
      title={result ? text('preview.compare', { name }) : name}
      classNames={{ title: 'ellipsis' }}
      styles={{ content: { display: 'flex', flexDirection: 'column' }, body: { flex: 1, minHeight: 0 } }}
      onKeyDown={event => {
        if (event.key !== ' ' || (event.target as HTMLElement).closest('button, input, a, [role=slider]'))
          return
        event.preventDefault()
        close()
      }}
    >
      <Preview
        file={{ kind: 'staged', id: fileId, name, category: kind, format }}
        target={result ? result.target : chosen && !chosen.missing ? target : null}
        options={options}
        result={result?.id ?? null}
        fill
      />
    </Dialog>
  )
}
