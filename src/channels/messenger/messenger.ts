import type { Code } from '../../core/errors.ts'

/**
 * What messengers have in common: each message has an id in the messenger, and a conversation is between one account of the project and one
 * contact.
 */
export interface Messenger {
  /** The table of the accounts. */
  accounts: string
  /**
   * The table that maps messages to the messenger's ids: message_id, channel_id (the account), contact_external_id, external_id and
   * is_received. Unique keys: message_id; channel_id and external_id.
   */
  messages: string
  notFound: Code
}

/** The account through which a contact writes. */
export interface MessengerAccount {
  id: string
  /** `channel` of its tickets and messages. */
  channel: string
  /** The department of new tickets. */
  department_id: string | null
}
