/** Where the server has English texts by contract, and why: people who read them are developers or administrators. */

/** Folders of `src`. */
export const englishFolders: Record<string, string> = {
  backup: 'a command, for administrators',
  cli: 'the command line, for administrators',
  demo: 'a command, and the conversations of an invented shop',
  docs: 'the documents of the API, for developers',
  doctor: 'a command, for administrators',
  importers: 'commands, for administrators',
}

const operations = 'operations and shapes: the documents of the API, for developers'
const apiErrors = 'errors of the API, for developers'
const administrators = 'the log and the output of the server, for administrators'
const noText = 'a part of a program'

/** Files below `src`; an asterisk stands for any name. */
export const englishFiles: Record<string, string> = {
  'billing/callback.ts': 'answers to Stripe, which shows them in its log',
  'billing/gateways/offline.ts': 'what the command line prints; the dashboard words it from the order',
  'billing/gateways/stripe.ts': noText,
  'billing/put-plan.ts': 'errors of a command, for administrators',
  'channels/email/imap/fetch-mail.ts':
    'the text shown for an email that is too large; the reader’s language is not known',
  'channels/email/log/mail-log-api.ts': operations,
  'channels/email/log/mail-log-schema.ts': operations,
  'channels/email/incoming/outcomes.ts': operations,
  'channels/email/mailboxes/schema.ts': operations,
  'channels/telegram/bots/bot-fault.ts':
    'problems of bots, for the API, the command line and the log; the dashboard words them from their codes',
  'channels/telegram/bots/schema.ts': operations,
  'channels/widget/message-api.ts': operations,
  'conditions/check.ts': apiErrors,
  'conditions/values.ts': apiErrors,
  'contacts/api.ts': operations,
  'core/http/address.ts': administrators,
  'core/clock.ts': administrators,
  'core/config/config*.ts': 'the documents of the settings, for administrators',
  'core/config/data-dir.ts': administrators,
  'core/errors.ts': apiErrors,
  'core/errors-channels.ts': apiErrors,
  'core/errors-contacts.ts': apiErrors,
  'core/db/full-disk.ts': apiErrors,
  'core/http/http.ts': noText,
  'core/http/problems.ts': apiErrors,
  'core/http/proxy-warnings.ts': administrators,
  'core/reasons.ts': apiErrors,
  'events/describe.ts': 'an event for testing a webhook, for developers',
  'events/samples.ts': 'samples of events, for developers',
  'first-start.ts': administrators,
  'help/sitemap.ts': 'robots.txt',
  'http-entry.ts': apiErrors,
  'knowledge/dashboard.ts': operations,
  'mail/calendar.ts': 'a line about an invitation, whose language nobody knows',
  'mail/mail-worker.ts': noText,
  'main.ts': administrators,
  'media/buckets.ts': administrators,
  'media/find-faults.ts': administrators,
  'messages/api.ts': operations,
  'operators/api.ts': operations,
  'organizations/api.ts': operations,
  'personal-data/api.ts': operations,
  'personal-data/conversation-page.ts': 'the markup of an exported page',
  'readiness.ts': administrators,
  'tickets/api.ts': operations,
  'tickets/schema.ts': operations,
  'web-widget.ts': 'a page that says how to build the programs of the browser, for administrators',
  'web.ts': 'a page that says how to build the programs of the browser, for administrators',
  'webhooks/test-delivery.ts': 'an event for testing a webhook, for developers',
}

/** Calls, at any depth of their arguments. */
export const englishCalls: [RegExp, string][] = [
  [/(?:Error|Exception)$/, 'errors'],
  [/^(?:super|GatewayRefused|GatewaySilent|InvalidRequest|MismatchedPayment|NoSources)$/, 'errors'],
  [/^(?:refuse|problem|invalidHeader|invalidQuery)$/, 'errors'],
  [/(?:^|[.#])log\.(?:trace|debug|info|warn|error|fatal)$/, administrators],
  [/^(?:metric|counter|histogram)$/, 'the documents of metrics, for administrators'],
  [/^describe$/, 'the documents of events, for developers'],
]

/** Fields and constants. */
export const englishNames: Record<string, string> = {
  summary: operations,
  description: operations,
  examples: operations,
  msg: apiErrors,
  error_message: apiErrors,
}
