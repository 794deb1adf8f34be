import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { queryClient } from '../core/query.ts'
import type { Ticket } from '../tickets/queries.ts'
import type { EmailValues } from './draft.ts'
import { messageKeys } from './query-keys.ts'

export type SenderChoice = Shape<'SenderChoice'>
export type KnownAddress = Shape<'KnownAddress'>

/** The defaults for the next reply in a ticket. */
export const replyRecipientsQuery = (project_id: string, ticket_id: string) =>
  queryOptions({
    queryKey: messageKeys.replyRecipients(project_id, ticket_id),
    queryFn: async (): Promise<EmailValues> => {
      const params = { path: { project_id, ticket_id } }
      return take(api.GET('/projects/{project_id}/tickets/{ticket_id}/reply-recipients', { params }))
    },
  })

/** Whether the next reply in a chat is sent by email. */
export const unreadEmailQuery = (project_id: string, ticket_id: string) =>
  queryOptions({
    queryKey: messageKeys.unreadEmail(project_id, ticket_id),
    queryFn: () => {
      const params = { path: { project_id, ticket_id } }
      return take(api.GET('/projects/{project_id}/tickets/{ticket_id}/unread-email', { params }))
    },
  })

export const participantsQuery = (project_id: string, ticket_id: string) =>
  queryOptions({
    queryKey: messageKeys.participants(project_id, ticket_id),
    queryFn: async () => {
      const params = { path: { project_id, ticket_id } }
      return (await take(api.GET('/projects/{project_id}/tickets/{ticket_id}/participants', { params })))
        .items
    },
  })

export const senderChoicesQuery = (project_id: string) =>
  queryOptions({
    queryKey: messageKeys.senderChoices(project_id),
    queryFn: async () => {
      const params = { path: { project_id } }
      return (await take(api.GET('/projects/{project_id}/mailboxes/choices', { params }))).items
    },
    staleTime: 300_000,
  })

/** The names of these addresses, and whether emails can be sent to them. */
export const knownAddressesQuery = (project_id: string, addresses: string[]) =>
  queryOptions({
    queryKey: messageKeys.knownAddresses(project_id, addresses),
    queryFn: async () => {
      const params = { path: { project_id }, query: { address: addresses } }
      return (await take(api.GET('/projects/{project_id}/email-addresses', { params }))).items
    },
    enabled: addresses.length > 0,
    placeholderData: keepPreviousData,
  })

/** A reply in a ticket of another channel has recipients only if it is sent by email. */
export const isNotSent = ({ to }: EmailValues, channel: string): boolean =>
  channel !== 'email' && to.length === 0

/** The mailbox, recipients and subject to send a reply with; null if it is not sent by email. */
export async function findReplyEmail(
  { workspace_id, id, channel }: Ticket,
  edited: EmailValues | null,
): Promise<EmailValues | null> {
  const query = replyRecipientsQuery(workspace_id, id)
  const defaults =
    channel === 'email'
      ? await queryClient.ensureQueryData(query)
      : ['api', 'phone', 'walk_in'].includes(channel) && queryClient.getQueryData(query.queryKey)
  if (!defaults || isNotSent(defaults, channel)) return null
  const { mailbox_id, to, cc, bcc, subject } = edited ?? defaults
  // The default subject is left out, because it may be longer than the API accepts.
  return { mailbox_id, to, cc, bcc, subject: subject === defaults.subject ? '' : subject.trim() }
}
