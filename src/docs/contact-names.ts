import type { TSchema } from 'typebox'
import * as identities from '../contacts/identity-schema.ts'
import * as merges from '../contacts/merge-schema.ts'
import * as contacts from '../contacts/schema.ts'
import * as organizations from '../organizations/schema.ts'

const { properties: contact } = contacts.contact
const { properties: identity } = identities.knownIdentity
const { properties: preview } = merges.mergePreview

/** The names of the schemas about contacts and organizations. */
export const contactNames: Record<string, TSchema> = {
  TelegramId: contacts.contactRef.properties.telegram_id,
  Identity: contact.identities.items,
  IdentityType: contact.identities.items.properties.type,
  IdentifierName: contacts.createdContact.properties.conflicts.items,
  ContactSort: contacts.contactQuery.properties.sort,
  ContactLinks: contact._links,
  Contact: contacts.contact,
  ContactList: contacts.contactList,
  CreatedContact: contacts.createdContact,
  NewContact: contacts.newContact,
  ContactChange: contacts.contactChange,
  NewTicketContact: contacts.contactRef,
  Organization: organizations.organization,
  OrganizationList: organizations.organizationList,
  NewOrganization: organizations.newOrganization,
  OrganizationChange: organizations.organizationChange,
  OrganizationSort: organizations.organizationQuery.properties.sort,
  OrganizationLinks: organizations.organization.properties._links,
  OrganizationBrief: organizations.organizationBrief,
  DomainPreview: organizations.domainPreview,
  ContactMerge: merges.contactMerge,
  MergeWinners: merges.mergeWinners,
  MergePreview: merges.mergePreview,
  MergeDifference: preview.differences.items,
  MergeSide: preview.differences.items.properties.winner,
  BriefContact: merges.briefContact,
  UndoableMerge: merges.undoableMerge,
  UndoableMergeList: merges.undoableMerges,
  UndoneMerge: merges.undoneMerge,
  KeptPart: merges.undoneMerge.properties.kept.items,
  KeptPartKind: merges.undoneMerge.properties.kept.items.properties.kind,
  KnownIdentity: identities.knownIdentity,
  KnownIdentityList: identities.knownIdentities,
  IdentityVerifiedHow: identity.verified_how,
  IdentityAuthor: identity.verified_by,
  IdentityVisitor: identities.knownIdentities.properties.visitors.items,
  NewIdentity: identities.newIdentity,
  IdentityChange: identities.identityChange,
  IdentityMove: identities.identityMove,
  IdentityMovePreview: identities.movePreview,
  SentCode: identities.sentCode,
  CodeInput: identities.codeInput,
}
