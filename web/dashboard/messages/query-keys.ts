import { makeKey } from '../core/query-key.ts'

export const messageKeys = {
  emojis: (word: string) => makeKey('emojis', word),
  conversations: (projectId: string) => makeKey('messages', projectId),
  conversation: (projectId: string, number: string) => makeKey('messages', projectId, number),
  allDrafts: (projectId: string) => makeKey('drafts', projectId),
  drafts: (projectId: string, ticketId: string) => makeKey('drafts', projectId, ticketId),
  email: (projectId: string, messageId: string, version: number) =>
    makeKey('email', projectId, messageId, version),
  source: (url: string) => makeKey('email source', url),
  imageSenders: (projectId: string) => makeKey('image senders', projectId),
  allReplyRecipients: (projectId: string) => makeKey('reply recipients', projectId),
  replyRecipients: (projectId: string, ticketId: string) => makeKey('reply recipients', projectId, ticketId),
  allUnreadEmails: (projectId: string) => makeKey('unread email', projectId),
  unreadEmail: (projectId: string, ticketId: string) => makeKey('unread email', projectId, ticketId),
  allParticipants: (projectId: string) => makeKey('participants', projectId),
  participants: (projectId: string, ticketId: string) => makeKey('participants', projectId, ticketId),
  senderChoices: (projectId: string) => makeKey('sender choices', projectId),
  knownAddresses: (projectId: string, addresses: string[]) =>
    makeKey('known addresses', projectId, ...addresses),
  addressees: (projectId: string, words: string) => makeKey('addressees', projectId, words),
}
