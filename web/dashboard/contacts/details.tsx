import { CheckBadgeIcon } from '@heroicons/react/16/solid'
import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import { Avatar } from '../core/avatar.tsx'
import { Go } from '../core/go.tsx'
import { InlineField } from '../core/inline-field.tsx'
import { text } from '../core/text.ts'
import { day } from '../core/time.ts'
import { When } from '../core/when.tsx'
import { contactNameOf } from '../tickets/names.ts'
import { changeContact } from './change.ts'
import { ChannelIdentity } from './channel-identity.tsx'
import classes from './contacts.module.css'
import { FieldInputs } from './field-inputs.tsx'
import { OrganizationField } from './organization-field.tsx'
import type { Contact, Field } from './queries.ts'

interface Props {
  contact: Contact
  fields: Field[]
}

/** The contact's name, addresses, custom fields and note. */
export function ContactDetails({ contact, fields }: Props) {
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
      <OrganizationField contact={contact} />
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
      <Anchor
        size="sm"
        py={4}
        display="inline-block"
        renderRoot={props => <Go to={`/p/${contact.workspace_id}/contacts/${contact.id}`} {...props} />}
      >
        {text.contacts.openProfile}
      </Anchor>
      <FirstAndLastSeen contact={contact} />
    </Stack>
  )
}

const FirstAndLastSeen = ({ contact }: { contact: Contact }) => (
  <Text size="xs" c="dimmed">
    {text.contacts.firstSeen} <time dateTime={contact.created_at}>{day(contact.created_at)}</time>
    {contact.last_seen_at && (
      <>
        {' · '}
        {text.contacts.lastSeen} <When time={contact.last_seen_at} />
      </>
    )}
  </Text>
)

/** Shows the username, because the permanent account id means nothing to people. */
const TelegramName = ({ username }: { username: string }) => (
  <Anchor
    href={text.telegram.personLink(username)}
    target="_blank"
    rel="noreferrer"
    title={text.telegram.openPerson(username)}
  >
    {`@${username}`}
  </Anchor>
)

const Identities = ({ contact }: { contact: Contact }) => (
  <dl className={classes.identities}>
    {contact.identities.map(identity =>
      identity.type === 'channel' ? (
        <ChannelIdentity key={identity.value} contact={contact} value={identity.value} />
      ) : (
        <Identity key={`${identity.type} ${identity.value}`} contact={contact} identity={identity} />
      ),
    )}
  </dl>
)

interface IdentityProps {
  contact: Contact
  identity: Contact['identities'][number]
}

const Identity = ({ contact, identity: { type, value, is_verified } }: IdentityProps) => (
  <div>
    <dt>{text.contacts.identities[type]}</dt>
    <dd dir="auto">
      {type === 'telegram' && contact.telegram_username ? (
        <TelegramName username={contact.telegram_username} />
      ) : (
        value
      )}
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
)
