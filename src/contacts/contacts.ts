export { changeContact, lockNamedContact } from './change.ts'
export { type ContactClaim, claimContact, createAnonymous, verifyIdentities } from './claim.ts'
export { createContact, createContactOfPerson } from './create.ts'
export { contactsMatching, getContact, searchContacts } from './find.ts'
export { findContactByEmail, type Identifier, requireIdentifier } from './identities.ts'
export { hashIdentityCode, type IdentityDeps } from './identity-codes.ts'
export { gatheredContacts, indexedContacts } from './indexed.ts'
export { mergeContacts, moveRemainingTickets } from './merge.ts'
export { deleteOldContactMerges } from './merge-queries.ts'
export { type ChannelPerson, upsertChannelContact } from './messenger.ts'
export { insertMergedNotice, isIdentified, waitingTicketMoves } from './queries.ts'
export {
  hasOtherTelegram,
  linkTelegram,
  type TelegramContact,
  type TelegramPerson,
  updateTelegramPhone,
  upsertTelegramContact,
} from './telegram.ts'
export { setUndeliverable } from './undeliverable.ts'
export { putContact, upsertContact } from './upsert.ts'
