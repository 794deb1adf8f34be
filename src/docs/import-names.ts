import type { TSchema } from 'typebox'
import * as imports from '../imports/schema.ts'

const { properties: contact } = imports.importedContact
const { properties: ticket } = imports.importedTicket
const { properties: message } = imports.importedMessage
const { properties: email } = imports.importedEmail
const { properties: result } = imports.importResult

/** The names of the schemas about imports. */
export const importNames: Record<string, TSchema> = {
  ContactImport: imports.contactImport,
  TicketImport: imports.ticketImport,
  MessageImport: imports.messageImport,
  ImportedContact: imports.importedContact,
  ImportedIdentity: contact.identities.items,
  ImportedIdentityType: contact.identities.items.properties.type,
  ImportedTicket: imports.importedTicket,
  ImportedCloser: ticket.closed_by,
  ImportedParticipant: ticket.participants.items,
  ImportedWidget: ticket.widget,
  ImportedMessage: imports.importedMessage,
  ImportedLaterMessage: imports.importedLaterMessage,
  ImportedAuthor: message.author,
  ImportedEmail: message.email,
  ImportedForward: email.forwarded,
  ImportedRecipient: email.recipients.items,
  ImportedHeader: email.headers.items,
  ImportedDelivery: message.delivery,
  ImportedDeliveryStatus: message.delivery.properties.status,
  ImportedReaction: message.reactions.items,
  ImportedOperator: imports.importedOperator,
  ImportResult: imports.importResult,
  ImportStatus: result.status,
  ImportWarning: result.warnings.items,
  ImportResults: imports.importResults,
  TicketImportResult: imports.ticketImportResults.properties.items.items,
  TicketImportResults: imports.ticketImportResults,
  Import: imports.importedSource,
  ImportState: imports.importedSource.properties.state,
  ImportList: imports.importList,
}
