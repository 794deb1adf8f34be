/**
 * The rules of the specification that tests must cover, in a few words. A test title starts with the section and the
 * rule that it covers: `spec 7.1 404: …`, or `spec 6.6.5: …` where the section is the rule. A test of several rules names
 * each: `spec 7.1 302, spec 4.2 GET media 302: …`.
 */

type Rules = Record<string, string>

const operations: Rules = {
  'POST tickets 201': 'creates a ticket',
  'POST tickets 400': 'the contact needs an email address or a Telegram id',
  'POST tickets blocked': 'a blocked contact gets 403',
  'POST tickets limit': '403 once the monthly limit of the plan is reached',
  'POST tickets 422': 'status and priority must be known values',
  'GET tickets': 'returns a page',
  'GET tickets page_size': 'has a maximum: 422 above it',
  'PATCH tickets': 'changes a ticket: 200',
  'PATCH tickets event': 'the data of ticket.updated is two ids',
  'POST messages 201': 'creates a message',
  'POST messages MESSAGE_EMPTY': 'a message must not be empty',
  'POST messages media_ids': "accepts only the project's own files: 422 otherwise",
  'POST messages sender': 'type bot, with the project as sender',
  closing: '200',
  reopening: '200',
  rating: '200',
  'editing a system message': '422',
  'POST contacts 201': 'even if the contact exists',
  'POST contacts 400': 'needs an email address or a Telegram id',
  'media upload 201': 'stores a file',
  'media upload 413': 'the file is too large',
  'media upload 502': 'the storage fails',
  'GET media': 'returns the bytes',
  'GET media 302': "redirects to the project's own bucket",
  'GET updates': 'waits for events',
  'GET updates once': 'counts as one request, however long it waits',
  'knowledge base': 'can be read',
  'knowledge base 403': 'the plan does not include it',
  'knowledge base 404': 'the article does not exist',
  'missing records': '404 for every kind of record',
}

const events: Rules = {
  '6.6.1': 'notes are included and marked',
  '6.6.2': 'the sender of a message through the API',
  '6.6.3 address': 'events contain the chat address of a file',
  '6.6.3 note': 'the address of a file in a note is signed for 12 hours',
  '6.6.3 REST': 'the API serves files by id',
  '6.6.4': 'the API emits no contact.* event',
  '6.6.5': 'long polling returns the same events as webhooks',
}

const statuses: Rules = {
  200: 'reads, changes, ticket actions and webhook tests',
  201: 'creations',
  204: 'deletion of a webhook',
  302: "a file in the project's own bucket",
  400: 'a contact without an identifier',
  401: 'no key or an invalid one',
  '403 TICKET_LIMIT_REACHED': 'the monthly limit of the plan is reached',
  '403 PLAN_FEATURE_UNAVAILABLE': 'the plan has no knowledge base',
  '403 blocked contact': 'a blocked contact gets no ticket',
  404: 'a missing record',
  '409 TICKET_ALREADY_CLOSED': 'closing twice',
  '413 MEDIA_TOO_LARGE': 'a file above 200 MB',
  '422 schema': 'the body does not match the schema',
  '422 VALIDATION_ERROR': 'the body matches the schema but is invalid',
  '422 MESSAGE_EMPTY': 'a message without content',
  '422 TICKET_INVALID_STATUS_TRANSITION': 'an impossible change of status',
  '429 RATE_LIMIT_EXCEEDED': 'with the seconds to wait',
  500: 'an unexpected error',
  '502 MEDIA_UPLOAD_FAILED': 'the storage rejects the file',
  '503 MAINTENANCE_MODE': 'no request is served',
}

const limits: Rules = {
  'key budget': '20,000 a minute, counted across all servers',
  'address budget': '1,000 a minute without a valid key',
  'first request': 'of a new key counts towards the address budget, in each process',
  window: 'one minute from its first request',
  'Retry-After': 'the seconds until the window ends',
  'no X-RateLimit': 'no such headers',
  'long polling': 'counts as one request',
  'limiter failure': 'no request is limited',
  'file size': '200 MB',
  'monthly tickets': 'the limit of the plan',
  'webhook attempts': 'six per delivery',
  'webhook timeout': '10 s',
  'webhook switch-off': 'after five failed deliveries in a row',
  'visitor notification': 'one per visitor in five minutes',
  'note links': '12 hours',
  'X-Request-ID': 'up to 200 visible ASCII characters of the client',
}

/** Sections that are one rule each. */
const sections = [
  '2.2',
  '2.3',
  '2.4',
  '3.1',
  '3.2',
  '4.1',
  '5.1',
  '6.1',
  '6.2',
  '6.3',
  '6.4.2',
  '6.4.4',
  '6.4.5',
]

const below = (section: string, rules: Rules): string[] =>
  Object.keys(rules).map(rule => `spec ${section} ${rule}`)

export const rules: string[] = [
  ...sections.map(section => `spec ${section}`),
  ...below('4.2', operations),
  ...Object.keys(events).map(rule => `spec ${rule}`),
  ...below('7.1', statuses),
  ...below('8', limits),
]

/** Rules of parts that are not built yet. */
export const notYet: string[] = []
