import { Button, Group } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { text } from '../../messages/text.ts'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { size } from '../../ui/format.ts'
import { useAction } from '../../ui/useAction.ts'
import { joinRows } from '../state/actions.ts'
import { useJoin } from '../state/join/join.ts'
import { joinText } from '../state/join/join-text.ts'
import type { Line } from '../state/rows/layout.ts'
import { useTable } from '../state/store.ts'
import { Name } from './FileRow.tsx'
import classes from './JoinDialog.module.css'
import { Thumb } from './Thumb.tsx'

interface Props {
  lines: readonly Line[]
}

/** Asks for the order of files that become one. */
export function JoinDialog({ lines }: Props) {
  const { order, into, isAsking, close } = useJoin()
  const { busy, act } = useAction()
  return (
    <Dialog opened={isAsking} onClose={close} title={joinText(into)} size="lg">
      <p className={`${classes.hint} remark`}>{text(into === 'pdf' ? 'join.hint' : 'join.hintRecording')}</p>
      <Order keys={order} />
      <Group gap={8} justify="flex-end" mt={16}>
        <Button variant="default" onClick={close}>
          {text('common.cancel')}
        </Button>
        <Button
          loading={busy}
          onClick={() =>
            void act(async () => {
              if (await joinRows(order, lines)) close()
            })
          }
        >
          {text('join.button', { value: order.length })}
        </Button>
      </Group>
    </Dialog>
  )
}

/** Height of a line in pixels, as in the style sheet. */
const LINE_PX = 56

/** The files in the order in which they are joined: each is dragged by its handle, or moved with the arrow keys on it. */
function Order({ keys }: { keys: readonly string[] }) {
  const list = useRef<HTMLOListElement>(null)
  const [held, hold] = useState<string | null>(null)
  const [announcement, announce] = useState('')
  const { move } = useJoin.getState()

  const onPointerDown = (key: string, event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    // Not by the handle, which would lose it when its line moves in the page.
    list.current?.setPointerCapture(event.pointerId)
    hold(key)
  }
  const onPointerMove = ({ clientY }: PointerEvent) => {
    const box = list.current
    if (held === null || !box) return
    const { top, bottom } = box.getBoundingClientRect()
    if (clientY < top) box.scrollTop -= LINE_PX / 4
    if (clientY > bottom) box.scrollTop += LINE_PX / 4
    const under = Math.max(top, Math.min(bottom - 1, clientY)) - top
    move(held, Math.floor((under + box.scrollTop) / LINE_PX))
  }
  const letGo = () => hold(null)
  const onKeyDown = (key: string, at: number, event: KeyboardEvent<HTMLElement>) => {
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: keys.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const line = event.currentTarget.closest('li')
    move(key, to)
    const name = useTable.getState().rows.get(key)?.name ?? ''
    const place = Math.max(0, Math.min(keys.length - 1, to)) + 1
    announce(text('join.moved', { name, place, total: keys.length }))
    requestAnimationFrame(() => line?.scrollIntoView({ block: 'nearest' }))
  }
  return (
    <>
      <ol
        ref={list}
        className={`${classes.order} plain-list`}
        onPointerMove={onPointerMove}
        onPointerUp={letGo}
        onPointerCancel={letGo}
      >
        {keys.map((key, index) => {
          const row = useTable.getState().rows.get(key)
          if (!row) return null
          return (
            <li key={key} className={classes.line} data-held={held === key || undefined}>
              <button
                type="button"
                className={classes.handle}
                aria-label={text('join.move', { name: row.name })}
                onPointerDown={event => onPointerDown(key, event)}
                onKeyDown={event => onKeyDown(key, index, event)}
              >
                <IconGripVertical size={18} stroke={1.8} aria-hidden="true" />
              </button>
              <span className={`${classes.place} aside numbers`}>{index + 1}</span>
              <Thumb row={row} />
              <span className={classes.words}>
                <Name name={row.name} />
              </span>
              <span className={`${classes.size} aside numbers`}>{size(row.bytes)}</span>
            </li>
          )
        })}
      </ol>
      <span className="hidden-text" role="status">
        {announcement}
      </span>
    </>
  )
}
