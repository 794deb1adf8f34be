import { EllipsisHorizontalIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Menu } from '@mantine/core'
import { useState } from 'react'
import { Confirm } from '../core/confirm.tsx'
import { pageText } from '../core/page-text.ts'
import { text } from '../core/text.ts'
import { contactNameOf } from '../tickets/names.ts'
import { changeContact } from './change.ts'
import { MergeDialog } from './merge-dialog.tsx'
import type { Contact } from './queries.ts'

const { contactProfile: words } = pageText

interface Props {
  contact: Contact
  open(id: string): unknown
}

/** Less common actions on the whole contact. */
export function ProfileMenu({ contact, open }: Props) {
  const [asked, setAsked] = useState<'merge' | 'block' | null>(null)
  const close = () => setAsked(null)
  const { is_blocked } = contact
  return (
    <>
      <Menu position="bottom-end" width={230} withinPortal={false}>
        <Menu.Target>
          <ActionIcon aria-label={words.actions}>
            <EllipsisHorizontalIcon width={20} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsked('merge')}>{words.merge.action}</Menu.Item>
          <Menu.Item
            onClick={() => (is_blocked ? changeContact(contact, { is_blocked: false }) : setAsked('block'))}
          >
            {is_blocked ? text.contacts.unblock : text.contacts.block}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked === 'merge' && <MergeDialog contact={contact} open={open} onClose={close} />}
      <Confirm
        isOpen={asked === 'block'}
        title={text.contacts.blockTitle(contactNameOf(contact))}
        about={text.contacts.blockAbout}
        action={text.contacts.block}
        run={() => changeContact(contact, { is_blocked: true })}
        onClose={close}
      />
    </>
  )
}
