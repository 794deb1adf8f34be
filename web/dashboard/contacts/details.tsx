import { CheckBadgeIcon, NoSymbolIcon } from '@heroicons/react/16/solid'
import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Avatar } from '../core/avatar.tsx'
import { Confirm } from '../core/confirm.tsx'
import { InlineField } from '../core/inline-field.tsx'
import { text } from '../core/text.ts'
import { day } from '../core/time.ts'
import { When } from '../core/when.tsx'
import { contactNameOf } from '../tickets/names.ts'
import { changeContact } from './change.ts'
import classes from './contacts.module.css'
import { FieldInputs } from './field-inputs.tsx'
import type { Contact, Field } from './queries.ts'

interface Props {
  contact: Contact
  fields: Field[]
  /** Beside the name. */
  actions?: ReactNode
}

/** The contact's name, addresses, custom fields and note. */
export function ContactDetails({ contact, fields, actions }: Props) {
  const save = (field: 'full_name' | 'phone' | 'note') => (value: string) =>
    changeContact(contact, { [field]: value || null })
  return (
    <Stack gap="sm">
      <Group gap="sm" wrap="nowrap">
        <Avatar name={contactNameOf(contact)} src={contact.avatar_url} size={40} />
        <div className={classes.who}>
          <Text fw={600} dir="auto" className={classes.wrap}>
            {contactNameOf(contact)}
          </Text>
          {contact.is_blocked && <Badge color="red">{text.contacts.blocked}</Badge>}
        </div>
        {actions}
      </Group>
      <Identities contact={contact} />
      <InlineField
        label={text.contacts.name}
        value={contact.full_name ?? ''}
        maxLength={255}
        onSave={save('full_name')}
      />
      <InlineField
        label={text.contacts.phone}
        type="tel"
        value={contact.phone ?? ''}
        maxLength={64}
        onSave={save('phone')}
      />
      <FieldInputs
        fields={fields}
        values={contact.custom_fields}
        onSave={custom_fields => changeContact(contact, { custom_fields })}
      />
      <InlineField
        isLong
        label={text.contacts.note}
        placeholder={text.contacts.notePlaceholder}
        value={contact.note ?? ''}
        maxLength={65_536}
        onSave={save('note')}
      />
      <Text size="xs" c="dimmed">
        {text.contacts.firstSeen} <time dateTime={contact.created_at}>{day(contact.created_at)}</time>
        {contact.last_seen_at && (
          <>
            {' · '}
            {text.contacts.lastSeen} <When time={contact.last_seen_at} />
          </>
        )}
      </Text>
      <Block contact={contact} />
    </Stack>
  )
}

const Identities = ({ contact }: { contact: Contact }) => (
  <dl className={classes.identities}>
    {contact.identities.map(({ type, value, is_verified }) => (
      <div key={`${type} ${value}`}>
        <dt>{text.contacts.identities[type]}</dt>
        <dd dir="auto">
          {value}
          {is_verified && (
            <span role="img" aria-label={text.contacts.verified} className={classes.verified}>
              <CheckBadgeIcon width={14} aria-hidden />
            </span>
          )}
          {contact.source === 'widget' && type === 'email' && !is_verified && (
            <Text span size="xs" c="dimmed">{` · ${text.live.notVerified}`}</Text>
          )}
        </dd>
      </div>
    ))}
  </dl>
)

function Block({ contact }: { contact: Contact }) {
  const [isAsking, setAsking] = useState(false)
  const { is_blocked } = contact
  return (
    <>
      <Button
        size="xs"
        variant="subtle"
        color={is_blocked ? 'gray' : 'red'}
        className={classes.block}
        leftSection={<NoSymbolIcon width={16} aria-hidden />}
        onClick={() => (is_blocked ? changeContact(contact, { is_blocked: false }) : setAsking(true))}
      >
        {is_blocked ? text.contacts.unblock : text.contacts.block}
      </Button>
      <Confirm
        isOpen={isAsking}
        title={text.contacts.blockTitle(contactNameOf(contact))}
        about={text.contacts.blockAbout}
        action={text.contacts.block}
        run={() => changeContact(contact, { is_blocked: true })}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
