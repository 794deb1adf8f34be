import { Button, Group } from '@mantine/core'
import { closeNotice, openNotice } from '../core/notice.ts'
import { text } from '../core/text.ts'
import { askToBlock } from './blocking.ts'

/** After a ticket was marked as spam, offers to block its sender. */
export function offerBlock(address: string): void {
  const id = `spam ${address}`
  openNotice({
    id,
    role: 'status',
    autoClose: 10_000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        {text.actions.spamDone}
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            closeNotice(id)
            askToBlock(address)
          }}
        >
          {text.email.block}
        </Button>
      </Group>
    ),
  })
}
