import { type ReactNode, useLayoutEffect, useRef } from 'react'
import classes from './Dialog.module.css'
import { useOverlay } from './store.ts'

interface Props {
  label: string
  children: ReactNode
}

const close = () => useOverlay.getState().show(null)

/** A modal dialog. The browser keeps the focus in it, and restores it when it closes. */
export function Dialog({ label, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  // Close it before it is removed from the page: a dialog that is merely removed does not restore the focus.
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes it with Escape, which is a cancel
    <dialog
      ref={ref}
      className={classes.dialog}
      aria-label={label}
      onCancel={event => {
        event.preventDefault()
        close()
      }}
      onClick={event => event.target === event.currentTarget && close()}
    >
      {children}
    </dialog>
  )
}
