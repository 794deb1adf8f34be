import { Checkbox, Text } from '@mantine/core'
import { useState } from 'react'
import { Confirm } from '../core/confirm.tsx'
import { asFailure } from '../core/failure.ts'
import { showFailure, showNotice } from '../core/notice.ts'
import { pageText } from '../core/page-text.ts'
import { useReturnFocus } from '../core/return-focus.ts'
import { contactNameOf } from '../tickets/names.ts'
import { tryChange } from './change.ts'
import { ContactPicker } from './contact-picker.tsx'
import { type KnownIdentity, type MovePreview, moveIdentity, previewMove } from './identity-calls.ts'
import type { Contact } from './queries.ts'

const { identities: words } = pageText.contactProfile

interface Props {
  contact: Contact
  identity: KnownIdentity
  name: string
  onClose(): void
}

/** Asks for the other contact, then shows which tickets move with the identity. */
export function MoveIdentity({ contact, identity, name, onClose }: Props) {
  useReturnFocus(true)
  const [preview, setPreview] = useState<MovePreview | null>(null)
  async function choose({ id }: Contact): Promise<void> {
    try {
      setPreview(await previewMove(contact, identity, id))
    } catch (failure) {
      showFailure(asFailure(failure))
      onClose()
    }
  }
  if (!preview)
    return (
      <ContactPicker
        title={words.moveTitle(name)}
        except={contact}
        onChoose={one => void choose(one)}
        onClose={onClose}
      />
    )
  return <Ask contact={contact} identity={identity} name={name} preview={preview} onClose={onClose} />
}

function Ask({ contact, identity, name, preview, onClose }: Props & { preview: MovePreview }) {
  const [withTickets, setWithTickets] = useState(true)
  const { into, tickets_count, shared_tickets_count } = preview
  const intoName = contactNameOf(into)
  const run = async () => {
    const isMoved = await tryChange(contact.workspace_id, () =>
      moveIdentity(contact, identity, into.id, withTickets),
    )
    if (isMoved) showNotice(words.moved(intoName))
  }
  return (
    <Confirm
      isOpen
      title={words.moveTitle(name)}
      about={tickets_count ? '' : words.moveNone}
      action={words.moveDo(intoName)}
      color="accent"
      run={() => void run()}
      onClose={onClose}
    >
      {tickets_count > 0 && (
        <Checkbox
          label={words.moveTickets(tickets_count)}
          checked={withTickets}
          onChange={event => setWithTickets(event.currentTarget.checked)}
        />
      )}
      {shared_tickets_count > 0 && (
        <Text size="sm" mt="xs">
          {words.moveShared(shared_tickets_count)}
        </Text>
      )}
    </Confirm>
  )
}
