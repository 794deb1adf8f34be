import { useQuery } from '@tanstack/react-query'
import { channelOf, customChannelsQuery } from '../../channels/custom-channels.ts'
import type { Contact } from '../../contacts/queries.ts'
import { text } from '../../core/text.ts'
import { senderChoicesQuery } from '../../messages/recipient-queries.ts'
import type { NewTicketValues } from './draft.ts'

/** Channels in which the operator enters what the contact said. In the others, the message is sent to the contact. */
const recorded = ['phone', 'walk_in']

export const isRecorded = (channel: string): boolean => recorded.includes(channel)

const hasIdentity = (contact: Contact | null, type: string, start = ''): boolean =>
  contact?.identities.some(one => one.type === type && one.value.startsWith(start)) ?? false

/** The channels in which a ticket for this contact can be created. */
export function useChannels(projectId: string, { contact }: NewTicketValues) {
  const { data: mailboxes = [] } = useQuery(senderChoicesQuery(projectId))
  const hasChannel = hasIdentity(contact, 'channel')
  const { data: custom = [] } = useQuery({ ...customChannelsQuery(projectId), enabled: hasChannel })
  const named = (value: string) => ({ value, label: text.inbox.channels[value] ?? value })
  return [
    ...recorded.map(named),
    ...(mailboxes.some(({ can_send }) => can_send) ? [named('email')] : []),
    ...(hasIdentity(contact, 'telegram') ? [named('telegram')] : []),
    ...custom
      .filter(({ id }) => hasIdentity(contact, 'channel', `${id}:`))
      .map(({ name, title }) => ({ value: channelOf(name), label: title })),
  ]
}
