import type { TSchema } from 'typebox'
import * as billing from '../billing/schema.ts'
import * as canned from '../canned-answers/schema.ts'
import * as visitors from '../channels/widget/schema.ts'
import * as widgets from '../channels/widget/settings-schema.ts'
import * as contacts from '../contacts/schema.ts'
import * as fields from '../custom-fields/schema.ts'
import * as drafts from '../drafts/schema.ts'
import { eventCatalog, eventDescription } from '../events/api.ts'
import * as knowledge from '../knowledge/schema.ts'
import * as media from '../media/schema.ts'
import * as messages from '../messages/schema.ts'
import * as operators from '../operators/schema.ts'
import * as search from '../search/schema.ts'
import * as tags from '../tags/schema.ts'
import * as inbox from '../tickets/inbox-schema.ts'
import * as tickets from '../tickets/schema.ts'
import * as updates from '../updates/schema.ts'
import * as views from '../views/schema.ts'
import * as webhooks from '../webhooks/schema.ts'
import * as bodies from './error-bodies.ts'

/** The schemas that have a name in the OpenAPI document; all others are written out where they are used. */
export const names: Record<string, TSchema> = {
  Ticket: tickets.ticket,
  TicketList: tickets.ticketList,
  NewTicket: tickets.newTicket,
  TicketChange: tickets.ticketChange,
  TicketClosing: tickets.closing,
  TicketReopening: tickets.reopening,
  TicketRating: tickets.ratingInput,
  TicketMerge: tickets.merging,
  TicketTransfer: inbox.transfer,
  TicketSplit: inbox.splitting,
  TicketBulk: inbox.bulk,
  BulkResults: inbox.bulkResults,
  InboxSettings: inbox.inboxSettings,
  Message: messages.message,
  MessageList: messages.messageList,
  NewMessage: messages.newMessage,
  MessageChange: messages.messageChange,
  NewReply: messages.newReply,
  PostedReply: messages.postedReply,
  TakenBack: messages.takenBack,
  ReadMark: messages.readMark,
  MessageMedia: media.mediaItem,
  Media: media.media,
  Draft: drafts.draft,
  DraftInput: drafts.draftInput,
  Drafts: drafts.drafts,
  ListedTicket: views.listedTicket,
  ListedTicketList: views.listedTickets,
  CannedAnswer: canned.cannedAnswer,
  ListedCannedAnswer: canned.listedCannedAnswer,
  NewCannedAnswer: canned.newCannedAnswer,
  FilledAnswer: canned.filled,
  CustomField: fields.customField,
  NewCustomField: fields.newField,
  Found: search.found,
  TicketContext: inbox.ticketContext,
  View: views.view,
  ViewFilters: views.viewFilters,
  Contact: contacts.contact,
  ContactList: contacts.contactList,
  CreatedContact: contacts.createdContact,
  NewContact: contacts.newContact,
  ContactChange: contacts.contactChange,
  ContactMerge: contacts.contactMerge,
  TicketContact: contacts.contactRef,
  Category: knowledge.category,
  CategoryList: knowledge.categoryList,
  Article: knowledge.article,
  ListedArticle: knowledge.listedArticle,
  ArticleList: knowledge.articleList,
  Webhook: webhooks.webhook,
  WebhookList: webhooks.webhooks,
  ListedWebhook: webhooks.listedWebhook,
  RegisteredWebhook: webhooks.registeredWebhook,
  NewWebhook: webhooks.newWebhook,
  WebhookChange: webhooks.webhookChange,
  TestRequest: webhooks.trialRequest,
  TestResult: webhooks.trialResult,
  Delivery: webhooks.delivery,
  DeliveryList: webhooks.deliveries,
  DeliveryAttempt: webhooks.attemptEntry,
  WidgetSettings: widgets.widgetSettings,
  WidgetConfig: visitors.widgetConfig,
  Visitor: visitors.visitor,
  VisitorSession: visitors.newSession,
  IdentifiedVisitor: visitors.identified,
  VisitorTicket: visitors.visitorTicket,
  VisitorMessage: visitors.visitorMessage,
  Project: billing.project,
  Usage: billing.usage,
  Operator: operators.operator,
  OperatorList: operators.operatorList,
  Department: operators.department,
  DepartmentList: operators.departmentList,
  Tag: tags.tag,
  TagList: tags.tagList,
  Update: updates.update,
  UpdateList: updates.updates,
  EventDescription: eventDescription,
  EventCatalog: eventCatalog,
  Error: bodies.error,
  Brief: bodies.brief,
  ValidationList: bodies.validationList,
  Problem: bodies.problem,
  Maintenance: bodies.maintenance,
}
