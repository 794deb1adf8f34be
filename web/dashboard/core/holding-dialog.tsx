import { Modal, type ModalProps } from '@mantine/core'
import { createContext, useContext, useLayoutEffect, useState } from 'react'

const Hold = createContext<(isHeld: boolean) => void>(() => {})

/**
 * A dialog that its content can hold open. While held, Esc and clicks outside do not close it, and it has no
 * close button.
 */
export function HoldingDialog(props: Pick<ModalProps, 'opened' | 'onClose' | 'title' | 'size' | 'children'>) {
  const [isHeld, setHeld] = useState(false)
  return (
    <Hold value={setHeld}>
      <Modal {...props} closeOnEscape={!isHeld} closeOnClickOutside={!isHeld} withCloseButton={!isHeld} />
    </Hold>
  )
}

/** Holds the surrounding dialog open, for content that is shown only once and must be saved first. */
export function useHold(): void {
  const hold = useContext(Hold)
  // A layout effect, because an early Esc must not close the dialog.
  useLayoutEffect(() => {
    hold(true)
    return () => hold(false)
  }, [hold])
}
