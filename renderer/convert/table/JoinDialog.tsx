import { Box, Button, Group, SegmentedControl } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { text } from '../../messages/text.ts'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { size } from '../../ui/format.ts'
import { useAction } from '../../ui/useAction.ts'
import { joinRows } from '../state/actions.ts'
import { joinText, useJoin } from '../state/join/join.ts'
import type { Line } from '../state/rows/layout.ts'
import { useTable } from '../state/store.ts'
import { Name } from './FileRow.tsx'
import classes from './JoinDialog.module.css'
import { Thumb } from './Thumb.tsx'

/** Asks for the order of files that become one. */
export function JoinDialog({ lines }: { lines: readonly Line[] }) {
  const { order, into, isAsking, close } = useJoin()
  const { busy, act } = useAction()
  return (
    <Dialog opened={isAsking} onClose={close} title={joinText(into)} size="lg">
      <Box component="p" className="remark" mb={12}>
        {text(into === 'pdf' ? 'join.hint' : 'join.hintRecording')}
      </Box>
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

/** How far the list scrolls while a file is held beyond its edge, in pixels. */
const SCROLL_PX = 14

/** The files in the order in which they are joined, as lines or as pages: each is dragged by its handle, or moved with the arrow keys on it. */
function Order({ keys }: { keys: readonly string[] }) {
  const list = useRef<HTMLOListElement>(null)
  const [held, hold] = useState<string | null>(null)
  const [announcement, announce] = useState('')
  const [layout, show] = useState<'lines' | 'pages'>('lines')
  const { move } = useJoin.getState()

  const onPointerDown = (key: string, event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    // Not by the handle, which would lose it when its line moves in the page.
    list.current?.setPointerCapture(event.pointerId)
    hold(key)
  }
  const onPointerMove = ({ clientX, clientY }: PointerEvent) => {
    const box = list.current
    if (held === null || !box) return
    const { top, bottom } = box.getBoundingClientRect()
    if (clientY < top) box.scrollTop -= SCROLL_PX
    if (clientY > bottom) box.scrollTop += SCROLL_PX
    const under = document.elementFromPoint(clientX, Math.max(top + 1, Math.min(bottom - 2, clientY)))
    const at = under?.closest<HTMLElement>('[data-at]')?.dataset.at
    if (at !== undefined) move(held, Number(at))
  }
  const letGo = () => hold(null)
  const onKeyDown = (key: string, at: number, event: KeyboardEvent<HTMLElement>) => {
    const [back, on] = document.dir === 'rtl' ? [at + 1, at - 1] : [at - 1, at + 1]
    const to = {
      ...{ ArrowUp: at - 1, ArrowDown: at + 1, ArrowLeft: back, ArrowRight: on },
      ...{ Home: 0, End: keys.length - 1 },
    }[event.key]
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
      <SegmentedControl
        size="xs"
        mb={8}
        aria-label={text('join.looks')}
        value={layout}
        onChange={show}
        data={[
          { value: 'lines', label: text('join.lines') },
          { value: 'pages', label: text('join.pages') },
        ]}
      />
      <ol
        ref={list}
        className={`${classes.order} plain-list`}
        data-layout={layout}
        onPointerMove={onPointerMove}
        onPointerUp={letGo}
        onPointerCancel={letGo}
      >
        {keys.map((key, index) => {
          const row = useTable.getState().rows.get(key)
          if (!row) return null
          return (
            <li key={key} className={classes.line} data-at={index} data-held={held === key || undefined}>
              <button
                type="button"
                className={classes.handle}
                aria-label={text('join.move', { name: row.name })}
                onPointerDown={event => onPointerDown(key, event)}
                onKeyDown={event => onKeyDown(key, index, event)}
              >
                {layout === 'pages' ? (
                  <Thumb row={row} isLarge />
                ) : (
                  <IconGripVertical size={18} stroke={1.8} aria-hidden="true" />
                )}
              </button>
              <Box component="span" className="aside numbers" ta="end">
                {index + 1}
              </Box>
              {layout === 'lines' && <Thumb row={row} />}
              <Name name={row.name} />
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
