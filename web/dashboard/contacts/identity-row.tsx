import { CheckBadgeIcon, EllipsisHorizontalIcon } from '@heroicons/react/16/solid'
import { ActionIcon, Badge, Group, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { customChannelsQuery } from '../channels/custom-channels.ts'
import { Confirm } from '../core/confirm.tsx'
import { pageText } from '../core/page-text.ts'
import { text } from '../core/text.ts'
import { day } from '../core/time.ts'
import { tryChange } from './change.ts'
import classes from './identities.module.css'
import { type IdentityVisitor, type KnownIdentity, removeIdentity } from './identity-calls.ts'
import { IdentityMenu } from './identity-menu.tsx'
import type { Contact } from './queries.ts'

const { identities: words } = pageText.contactProfile

interface Props {
  contact: Contact
  identity: KnownIdentity
}

/** How an identity was verified, by whom and when. */
function verificationOf({ verified_how, verified_by, verified_at, verified_reason }: KnownIdentity): string {
  if (verified_how === null) return words.verified
  const by = verified_by?.name ? words.by(verified_by.name) : verified_by ? words.byApi : ''
  const main = [words.how[verified_how], by].filter(Boolean).join(' ')
  return [main, verified_at && day(verified_at), verified_reason].filter(Boolean).join(' · ')
}

/** For a custom channel, only the id in the messenger. */
const shownValue = ({ type, value }: KnownIdentity): string =>
  type === 'channel' ? value.slice(value.indexOf(':') + 1) : value

function useTypeName({ contact, identity: { type, value } }: Props): string {
  const { data = [] } = useQuery({
    ...customChannelsQuery(contact.workspace_id),
    enabled: type === 'channel',
  })
  return data.find(({ id }) => value.startsWith(`${id}:`))?.title ?? text.contacts.identities[type]
}

export function IdentityRow({ contact, identity }: Props) {
  const name = useTypeName({ contact, identity })
  const { is_verified, is_primary, is_undeliverable } = identity
  const shown = shownValue(identity)
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <Group gap={6}>
          <span dir="auto">{shown}</span>
          {is_primary && identity.type === 'email' && (
            <Badge size="xs" variant="default">
              {words.primary}
            </Badge>
          )}
          {is_undeliverable && (
            <Badge size="xs" color="red">
              {words.undeliverable}
            </Badge>
          )}
        </Group>
        <div className={classes.marks}>
          <bdi>{name}</bdi>
          {' · '}
          {is_verified && <CheckBadgeIcon width={14} aria-hidden className={classes.verified} />}{' '}
          {is_verified ? verificationOf(identity) : words.unverified}
        </div>
      </div>
      <IdentityMenu contact={contact} identity={identity} name={shown} />
    </li>
  )
}

interface VisitorProps {
  contact: Contact
  visitor: IdentityVisitor
  children: ReactNode
}

/** A browser in which the contact uses the website chat. */
export function VisitorRow({ contact, visitor, children }: VisitorProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        {words.browser}
        <div className={classes.marks}>
          {children} · {visitor.is_verified ? words.verified : words.unverified}
        </div>
      </div>
      <Menu position="bottom-end" withinPortal={false}>
        <Menu.Target>
          <ActionIcon aria-label={words.menu(words.browser)}>
            <EllipsisHorizontalIcon width={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsking(true)}>{words.signOut}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Confirm
        isOpen={isAsking}
        title={words.signOut}
        about={words.signOutAbout}
        action={words.signOut}
        run={() => tryChange(contact.workspace_id, () => removeIdentity(contact, `visitor:${visitor.id}`))}
        onClose={() => setAsking(false)}
      />
    </li>
  )
}
