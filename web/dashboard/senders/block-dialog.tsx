import { Modal } from '@mantine/core'
import { pageText } from '../core/page-text.ts'
import { askToBlock, useBlocking } from './blocking.ts'
import { SenderQuestion } from './sender-question.tsx'

const close = () => askToBlock(null)

/** Asks whether to block the sender of an email. */
export default function BlockDialog() {
  const address = useBlocking()
  return (
    <Modal opened={address !== null} onClose={close} title={pageText.senderRules.blockTitle}>
      {address && (
        <SenderQuestion choice={{ address, verdict: 'blocked', isDomain: false }} onClose={close} />
      )}
    </Modal>
  )
}
