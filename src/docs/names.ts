import Type, { type TSchema } from 'typebox'
import * as billing from '../billing/schema.ts'
import * as canned from '../canned-answers/schema.ts'
import * as visitors from '../channels/widget/schema.ts'
import * as widgets from '../channels/widget/settings-schema.ts'
import { visitorTicket } from '../channels/widget/visitor-ticket-schema.ts'
import { customFields, fieldFilter, fieldItem, fieldValue, oneOf, openObject } from '../core/schema.ts'
import * as fields from '../custom-fields/schema.ts'
import * as drafts from '../drafts/schema.ts'
import { eventCatalog, eventDescription } from '../events/api.ts'
import * as knowledge from '../knowledge/schema.ts'
import * as media from '../media/schema.ts'
import * as messages from '../messages/schema.ts'
import * as operators from '../operators/schema.ts'
import * as search from '../search/schema.ts'
import * as tags from '../tags/schema.ts'
import * as history from '../tickets/history/schema.ts'
import * as inbox from '../tickets/inbox-schema.ts'
import * as tickets from '../tickets/schema.ts'
import * as updates from '../updates/schema.ts'
import * as views from '../views/schema.ts'
import * as webhooks from '../webhooks/schema.ts'
import { channelNames } from './channel-names.ts'
import { conditionNames } from './condition-names.ts'
import { contactNames } from './contact-names.ts'
import { emailNames } from './email-names.ts'
import * as bodies from './error-bodies.ts'
import { eventNames } from './event-names.ts'
import { importNames } from './import-names.ts'
import { personalDataNames } from './personal-data-names.ts'
import { telegramNames } from './telegram-names.ts'

export const openApiDocument = Type.Object(
  { openapi: Type.String({ examples: ['3.1.0'] }) },
  { additionalProperties: true },
)

const { properties: ticket } = tickets.ticket
const { properties: message } = messages.message
const { properties: article } = knowledge.listedArticle

/** The named schemas of the OpenAPI document. All others are written inline. */
export const names: Record<string, TSchema> = {
  AnyObject: openObject,
  CustomFields: customFields,
  CustomFieldValue: fieldValue,
  CustomFieldItem: fieldItem,
  TicketStatus: ticket.status,
  TicketPriority: ticket.priority,
  TicketSort: oneOf(tickets.sorts),
  TicketOperator: ticket.operator,
  TicketContact: ticket.contact,
  TicketLastMessage: ticket.last_message,
  Highlight: ticket.highlights.items,
  HighlightField: ticket.highlights.items.properties.field,
  Snippet: ticket.snippet,
  TicketCloser: ticket.closed_by,
  CloserType: tickets.closerType,
  TicketSla: ticket.sla,
  TicketLinks: ticket._links,
  SenderType: message.sender_type,
  ContactIdentity: message.contact_identity,
  ContentFormat: message.content_format,
  MessageDelivery: message.delivery,
  MessageDeliveryStatus: message.delivery.properties.status,
  MessageEmail: message.email,
  NewEmail: messages.newMessage.properties.email,
  NewRecipients: messages.newRecipients,
  EmailRecipient: messages.messageEmail.properties.recipients.items,
  EmailRecipientKind: messages.messageEmail.properties.recipients.items.properties.kind,
  EmailRecipientStatus: messages.messageEmail.properties.recipients.items.properties.status,
  EmailForward: messages.messageEmail.properties.forwarded,
  EmailAuthentication: messages.messageEmail.properties.authentication,
  EmailVerdict: messages.messageEmail.properties.authentication.properties.dmarc,
  MessageLinks: message._links,
  Reaction: message.reactions.items,
  ReactorKind: message.reactions.items.properties.reactor_kind,
  MessageSort: messages.anyMessageQuery.properties.sort,
  SortOrder: messages.messageQuery.properties.order,
  MediaKind: media.media.properties.kind,
  ArticleCategory: article.category,
  ArticleAuthor: article.author,
  ArticleHighlight: article.highlight,
  ArticleLinks: article._links,
  ArticleSort: knowledge.articleQuery.properties.sort,
  CategoryLinks: knowledge.category.properties._links,
  ProjectFeatures: billing.features,
  OperatorStatus: operators.operator.properties.status,
  OperatorRole: operators.operator.properties.role,
  DeliveryStatus: webhooks.delivery.properties.status,
  ErrorCode: bodies.error.properties.error_code,
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
  MessageSplit: tickets.messageSplit,
  TicketBulk: inbox.bulk,
  BulkResults: inbox.bulkResults,
  TicketHistory: history.ticketHistory,
  TicketUndo: history.undoInput,
  UndoResult: history.undoResult,
  RunUndo: history.runUndo,
  RunUndoResult: history.runUndoResult,
  KeptField: history.undoResult.properties.kept.items,
  KeptReason: history.undoResult.properties.kept.items.properties.reason,
  TicketHistoryItem: history.historyItem,
  FieldChange: history.historyItem.properties.changes.items,
  ChangeAuthor: history.historyItem.properties.by,
  InboxSettings: inbox.inboxSettings,
  Message: messages.message,
  MessageList: messages.messageList,
  NewMessage: messages.newMessage,
  MessageChange: messages.messageChange,
  NewReply: messages.newReply,
  PostedReply: messages.postedReply,
  Rescheduling: messages.rescheduling,
  TakenBack: messages.takenBack,
  ReadMark: messages.readMark,
  MessageMedia: media.mediaItem,
  Media: media.media,
  Draft: drafts.ticketDraft,
  DraftInput: drafts.draftInput,
  Drafts: drafts.drafts,
  ReplyDraft: drafts.replyDraft,
  ReplyDraftInput: drafts.preparedDraftInput,
  ReplyDraftList: drafts.replyDraftList,
  ListedTicket: views.listedTicket,
  ListedTicketList: views.listedTickets,
  CannedAnswer: canned.cannedAnswer,
  ListedCannedAnswer: canned.listedCannedAnswer,
  NewCannedAnswer: canned.newCannedAnswer,
  FilledAnswer: canned.filledAnswer,
  CustomField: fields.customField,
  CustomFieldList: fields.fieldList,
  CustomFieldType: fields.customField.properties.type,
  FieldRecord: fields.customField.properties.record,
  FieldFilter: fieldFilter,
  NewCustomField: fields.newField,
  Found: search.found,
  TicketContext: inbox.ticketContext,
  View: views.view,
  ViewFilters: views.viewFilters,
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
  TestRequest: webhooks.testDeliveryRequest,
  TestResult: webhooks.testDeliveryResult,
  Delivery: webhooks.delivery,
  DeliveryList: webhooks.deliveries,
  DeliveryAttempt: webhooks.attemptEntry,
  WidgetSettings: widgets.widgetSettings,
  WidgetConfig: visitors.widgetConfig,
  Visitor: visitors.visitor,
  VisitorSession: visitors.newSession,
  IdentifiedVisitor: visitors.identified,
  VisitorTicket: visitorTicket,
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
  ApiError: bodies.error,
  ApiBriefError: bodies.brief,
  ApiValidationError: bodies.validationList,
  ApiProblem: bodies.problem,
  ApiProblemPlace: bodies.problem.properties.loc.items,
  ApiMaintenance: bodies.maintenance,
  Upload: media.uploadParts,
  OpenApiDocument: openApiDocument,
  ...conditionNames,
  ...contactNames,
  ...emailNames,
  ...personalDataNames,
  ...telegramNames,
  ...importNames,
  ...channelNames,
  ...eventNames,
}
