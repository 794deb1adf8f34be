/**
 * The rules of the specification that tests must hold, in a few words. A test that holds one begins its name with the
 * section and the rule: `spec 7.1 404: …`, or `spec 6.6.5: …` where the section is the rule; one that holds several
 * names each: `spec 7.1 302, spec 4.2 GET media 302: …`.
 */

type Rules = Record<string, string>

const operations: Rules = {
  'POST tickets 201': 'makes a ticket',
  'POST tickets 400': 'the contact has an e-mail address or a Telegram id',
  'POST tickets blocked': 'none for a blocked contact: 403',
  'POST tickets limit': 'none beyond the month of the plan: 403',
  'POST tickets 422': 'status and priority are words that are known',
  'GET tickets': 'shows a page',
  'GET tickets page_size': 'has an upper bound: 422 above it',
  'PATCH tickets': 'changes a ticket: 200',
  'PATCH tickets event': 'the data of ticket.updated are two ids',
  'POST messages 201': 'makes a message',
  'POST messages MESSAGE_EMPTY': 'a message is not empty',
  'POST messages media_ids': "takes files of the project's own: 422 otherwise",
  'POST messages sender': 'the bot, and the project',
  closing: '200',
  reopening: '200',
  rating: '200',
  'editing a system message': '422',
  'POST contacts 201': 'also for a contact that is there',
  'POST contacts 400': 'needs an e-mail address or a Telegram id',
  'media upload 201': 'takes a file',
  'media upload 413': 'not one that is too large',
  'media upload 502': 'the storage fails',
  'GET media': 'gives the bytes',
  'GET media 302': "leads to the project's own bucket",
  'GET updates': 'waits for what happens',
  'GET updates once': 'is one request, however long it waits',
  'knowledge base': 'is read',
  'knowledge base 403': 'the plan has none',
  'knowledge base 404': 'the article is missing',
  'missing records': '404, whatever was asked for',
}

const events: Rules = {
  '6.6.1': 'notes are told too, and marked',
  '6.6.2': 'who sends what the API posts',
  '6.6.3 address': 'files have an address of the chat',
  '6.6.3 note': 'which is signed for a note, for 12 hours',
  '6.6.3 REST': 'the API gives files by their id',
  '6.6.4': 'the API emits no contact.*',
  '6.6.5': 'waiting readers get what webhooks get',
}

const statuses: Rules = {
  200: 'reading, changing, the verbs of a ticket, testing a webhook',
  201: 'making something',
  204: 'deleting a webhook',
  302: "a file in the project's own bucket",
  400: 'a contact that nothing identifies',
  401: 'no key, or none that works',
  '403 TICKET_LIMIT_REACHED': 'the month of the plan is used up',
  '403 PLAN_FEATURE_UNAVAILABLE': 'the plan has no knowledge base',
  '403 blocked contact': 'gets no ticket',
  404: 'a record that is missing',
  '409 TICKET_ALREADY_CLOSED': 'closing twice',
  '413 MEDIA_TOO_LARGE': 'a file above 200 MB',
  '422 schema': 'what does not fit the schema',
  '422 VALIDATION_ERROR': 'what fits and cannot be taken',
  '422 MESSAGE_EMPTY': 'a message of nothing',
  '422 TICKET_INVALID_STATUS_TRANSITION': 'a move that does not exist',
  '429 RATE_LIMIT_EXCEEDED': 'with the seconds to wait',
  500: 'what nobody expected',
  '502 MEDIA_UPLOAD_FAILED': 'the storage does not take the file',
  '503 MAINTENANCE_MODE': 'nobody is served',
}

const limits: Rules = {
  'key budget': '20,000 a minute, counted by all servers together',
  'address budget': '1,000 a minute without a key that works',
  'first request': 'of a new key counts for the address, in each process',
  window: 'a minute from its first request on',
  'Retry-After': 'the seconds until the window reopens',
  'no X-RateLimit': 'no such headers',
  'long polling': 'counts once',
  'limiter failure': 'limits nobody',
  'file size': '200 MB',
  'monthly tickets': 'as many as the plan has',
  'webhook attempts': 'six for a delivery',
  'webhook timeout': '10 s',
  'webhook switch-off': 'after five failed deliveries in a row',
  'visitor notification': 'once in five minutes for a visitor',
  'note links': '12 hours',
  'X-Request-ID': 'up to 200 visible ASCII characters of the client',
}

/** Held as whole sections. */
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

/** Of parts that are not built. */
export const notYet: string[] = []
