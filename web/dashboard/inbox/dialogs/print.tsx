import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { asFailure } from '../../core/failure.ts'
import { showFailure } from '../../core/notice.ts'
import { text } from '../../core/text.ts'
import { loadAllOlder } from '../../messages/queries.ts'
import type { Ticket } from '../../tickets/queries.ts'
import { closeTicketDialog } from '../dialog-state.ts'

interface Props {
  tickets: Ticket[]
}

/** Prints the open ticket with all its messages; print.css says what is on paper. */
export function Print({ tickets: [ticket] }: Props) {
  const [hasNotes, setNotes] = useState(false)
  const [isLoading, setLoading] = useState(false)
  async function print(): Promise<void> {
    setLoading(true)
    try {
      await loadAllOlder(ticket!.workspace_id, ticket!.short_id)
    } catch (error) {
      setLoading(false)
      return showFailure(asFailure(error))
    }
    flushSync(closeTicketDialog)
    printPage(hasNotes)
  }
  return (
    <Modal opened onClose={closeTicketDialog} title={text.actions.printTitle}>
      <Stack>
        <Checkbox
          data-autofocus
          label={text.actions.printNotes}
          checked={hasNotes}
          onChange={event => setNotes(event.currentTarget.checked)}
        />
        <Text size="sm" c="dimmed">
          {text.actions.printAbout}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={closeTicketDialog}>
            {text.shell.cancel}
          </Button>
          <Button loading={isLoading} onClick={print}>
            {text.actions.printDo}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** Prints in light colours, in the dark theme too. */
function printPage(hasNotes: boolean): void {
  const page = document.documentElement
  const { mantineColorScheme: scheme } = page.dataset
  page.toggleAttribute('data-print-notes', hasNotes)
  page.dataset.mantineColorScheme = 'light'
  window.addEventListener(
    'afterprint',
    () => {
      page.removeAttribute('data-print-notes')
      page.dataset.mantineColorScheme = scheme
    },
    { once: true },
  )
  window.print()
}
