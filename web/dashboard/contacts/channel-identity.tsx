import { useQuery } from '@tanstack/react-query'
import { customChannelsQuery } from '../channels/custom-channels.ts'
import { text } from '../core/text.ts'
import type { Contact } from './queries.ts'

interface Props {
  contact: Contact
  /** `<channel id>:<id in the messenger>` */
  value: string
}

/** The contact's id in the messenger of a custom channel. */
export function ChannelIdentity({ contact, value }: Props) {
  const { data = [] } = useQuery(customChannelsQuery(contact.workspace_id))
  const channel = data.find(({ id }) => value.startsWith(`${id}:`))
  return (
    <div>
      <dt dir="auto">{channel?.title ?? text.contacts.identities.channel}</dt>
      <dd dir="auto">{value.slice(value.indexOf(':') + 1)}</dd>
    </div>
  )
}
