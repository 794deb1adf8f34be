import { Badge, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Avatar } from '../core/avatar.tsx'
import { text } from '../core/text.ts'
import { day } from '../core/time.ts'
import { When } from '../core/when.tsx'
import { contactNameOf } from '../tickets/names.ts'
import { changeContact } from './change.ts'
import classes from './contacts.module.css'
import { FieldInputs } from './field-inputs.tsx'
import { Identities } from './identities.tsx'
import { MergedContacts } from './merged-contacts.tsx'
import { OrganizationField } from './organization-field.tsx'
import { ProfileMenu } from './profile-menu.tsx'
import type { Contact, Field } from './queries.ts'
import { ValueField } from './value-field.tsx'

interface Props {
  contact: Contact
  fields: Field[]
  /** Shown below the name. */
  actions?: ReactNode
  /** Opens another contact. */
  open(id: string): unknown
}

/** Who the contact is: values that are edited on click, addresses and ids, custom fields and the note. */
export function Profile({ contact, fields, actions, open }: Props) {
  const { contacts: words } = text
  return (
    <Stack gap="md">
      <Group gap="sm" wrap="nowrap">
        <Avatar name={contactNameOf(contact)} src={contact.avatar_url} size={48} />
        <div className={classes.who}>
          <Text fw={600} size="lg" dir="auto" className={classes.wrap}>
            {contactNameOf(contact)}
          </Text>
          {contact.is_blocked && <Badge color="red">{words.blocked}</Badge>}
        </div>
        <ProfileMenu contact={contact} open={open} />
      </Group>
      {actions}
      <Values contact={contact} fields={fields} />
      <Identities contact={contact} />
      <MergedContacts contact={contact} open={open} />
      <Text size="xs" c="dimmed">
        {words.firstSeen} <time dateTime={contact.created_at}>{day(contact.created_at)}</time>
        {contact.last_seen_at && (
          <>
            {' · '}
            {words.lastSeen} <When time={contact.last_seen_at} />
          </>
        )}
      </Text>
    </Stack>
  )
}

function Values({ contact, fields }: Pick<Props, 'contact' | 'fields'>) {
  const save = (field: 'full_name' | 'phone' | 'note') => (value: string) =>
    changeContact(contact, { [field]: value || null })
  const { contacts: words } = text
  return (
    <div className={classes.values}>
      <ValueField
        label={words.name}
        value={contact.full_name ?? ''}
        maxLength={255}
        onSave={save('full_name')}
      />
      <ValueField
        label={words.phone}
        type="tel"
        value={contact.phone ?? ''}
        maxLength={64}
        onSave={save('phone')}
      />
      <FieldInputs
        Text={ValueField}
        fields={fields}
        values={contact.custom_fields}
        onSave={custom_fields => changeContact(contact, { custom_fields })}
      />
      <ValueField
        isLong
        label={words.note}
        placeholder={words.notePlaceholder}
        value={contact.note ?? ''}
        maxLength={65_536}
        onSave={save('note')}
      />
      <OrganizationField contact={contact} />
    </div>
  )
}
