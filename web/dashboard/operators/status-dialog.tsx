import { Modal } from '@mantine/core'
import { useReturnFocus } from '../core/return-focus.ts'
import { text } from '../core/text.ts'
import type { OwnStatusChoice } from './own-status.ts'
import type { Person } from './queries.ts'
import { StatusForm } from './status-form.tsx'

interface Props {
  own: Person | undefined
  onChoose(choice: OwnStatusChoice): Promise<unknown>
  onClose(): void
}

/** The dialog for a custom status with a message and an emoji. */
export default function StatusDialog({ own, onChoose, onClose }: Props) {
  useReturnFocus(true)
  return (
    <Modal opened onClose={onClose} title={text.live.status}>
      <StatusForm own={own} first="custom" onChoose={onChoose} onDone={onClose} />
    </Modal>
  )
}
