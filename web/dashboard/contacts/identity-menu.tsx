import { EllipsisHorizontalIcon } from '@heroicons/react/16/solid'
import { ActionIcon, Menu } from '@mantine/core'
import { useState } from 'react'
import { pageText } from '../core/page-text.ts'
import { tryChange } from './change.ts'
import { changeIdentity, type KnownIdentity } from './identity-calls.ts'
import { type DialogName, IdentityDialogs } from './identity-dialogs.tsx'
import type { Contact } from './queries.ts'
import { mailCode } from './verify-dialogs.tsx'

const { identities: words } = pageText.contactProfile

interface Props {
  contact: Contact
  identity: KnownIdentity
  name: string
}

/** What can be done with an identity. */
export function IdentityMenu({ contact, identity, name }: Props) {
  const [open, setOpen] = useState<DialogName | null>(null)
  const { type, is_primary, is_verified, code_sent_at } = identity
  const change = (body: Parameters<typeof changeIdentity>[2]) =>
    tryChange(contact.workspace_id, () => changeIdentity(contact, identity, body))
  const dialog = (which: DialogName, label: string, color?: string) => (
    <Menu.Item color={color} onClick={() => setOpen(which)}>
      {label}
    </Menu.Item>
  )
  const send = async () => (await mailCode(contact, identity)) && setOpen('code')
  return (
    <>
      <Menu position="bottom-end" width={230} withinPortal={false}>
        <Menu.Target>
          <ActionIcon aria-label={words.menu(name)}>
            <EllipsisHorizontalIcon width={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {type === 'email' && (
            <Menu.Item onClick={() => change({ is_primary: !is_primary })}>
              {is_primary ? words.unmarkPrimary : words.makePrimary}
            </Menu.Item>
          )}
          {!is_verified && type === 'email' && <Menu.Item onClick={send}>{words.sendCode}</Menu.Item>}
          {!is_verified && code_sent_at && dialog('code', words.enterCode)}
          {!is_verified && dialog('reason', words.takeVerified)}
          {is_verified && (
            <Menu.Item onClick={() => change({ is_verified: false })}>{words.unverify}</Menu.Item>
          )}
          {type !== 'channel' && dialog('correct', words.correct)}
          {dialog('move', words.move)}
          {dialog('remove', words.remove, 'red')}
        </Menu.Dropdown>
      </Menu>
      <IdentityDialogs
        contact={contact}
        identity={identity}
        name={name}
        open={open}
        onClose={() => setOpen(null)}
      />
    </>
  )
}
