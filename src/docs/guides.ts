import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type MarkdownIt from 'markdown-it'
import { lazyRequire } from '../core/async/lazy-require.ts'
import { root } from '../core/config/config.ts'
import { escapeHtml } from '../core/text/markdown.ts'
import { generated } from './markdown.ts'

/** The guides of this repository as HTML, for integrators and operators at /docs. */

interface Guide {
  /** Relative to Deskbell's own folder. */
  file: string
  title: string
  about: string
}

export const guides: Record<string, Guide> = {
  api: {
    file: 'docs/api.md',
    title: 'Build on the API',
    about: 'Keys, times, errors, lists, keeping a copy, events',
  },
  events: { file: 'docs/events.md', title: 'Events', about: 'What webhooks and updates contain' },
  errors: {
    file: 'docs/errors.md',
    title: 'Errors',
    about: 'Every API error, and what to do about it',
  },
  'first-steps': {
    file: 'docs/first-steps.md',
    title: 'First steps',
    about: 'Set up a project, and try it with a test ticket',
  },
  inbox: {
    file: 'docs/inbox.md',
    title: 'Inbox',
    about: 'Views, filters, and changing many tickets',
  },
  keyboard: { file: 'docs/keyboard.md', title: 'Keyboard', about: 'Every key of the dashboard' },
  notifications: {
    file: 'docs/notifications.md',
    title: 'Notifications',
    about: 'In the browser, also when Deskbell is closed, and by email',
  },
  contacts: {
    file: 'docs/contacts.md',
    title: 'Contacts',
    about: 'Verify and move addresses, merge contacts, and undo merges',
  },
  organizations: {
    file: 'docs/organizations.md',
    title: 'Organizations',
    about: 'Group contacts by company, and see all their tickets',
  },
  'new-tickets': {
    file: 'docs/new-tickets.md',
    title: 'New tickets and contacts',
    about: 'Record calls and visits, and write to contacts first',
  },
  import: {
    file: 'docs/import.md',
    title: 'Import',
    about: 'Import tickets, messages and contacts from another system',
  },
  'personal-data': {
    file: 'docs/personal-data.md',
    title: 'Personal data',
    about: 'Delete a contact or a ticket with all their data, and export the data of a contact',
  },
  widget: { file: 'docs/widget.md', title: 'Widget', about: 'Add the chat to your website' },
  email: {
    file: 'docs/email.md',
    title: 'Email',
    about: 'Connect mailboxes, and find out where an email went',
  },
  telegram: {
    file: 'docs/telegram.md',
    title: 'Telegram',
    about: 'Add a bot, and find out why messages do not arrive',
  },
  channels: {
    file: 'docs/channels.md',
    title: 'Custom channels',
    about: 'Connect any messenger with your own program',
  },
  'telegram-stand-in': {
    file: 'docs/telegram-stand-in.md',
    title: 'Telegram stand-in',
    about: 'Try Telegram without an account',
  },
  'knowledge-base': {
    file: 'docs/knowledge-base.md',
    title: 'Knowledge base',
    about: 'Import articles as Markdown',
  },
  billing: { file: 'docs/billing.md', title: 'Billing', about: 'Sell plans to projects' },
  operations: {
    file: 'docs/operations.md',
    title: 'Operations',
    about: 'Install, run, back up, upgrade, monitor',
  },
  config: { file: 'docs/config.md', title: 'Settings', about: 'Every setting of the server' },
  pgbouncer: { file: 'docs/pgbouncer.md', title: 'PgBouncer', about: 'Connect through a connection pool' },
  security: { file: 'SECURITY.md', title: 'Security', about: 'What is protected, from whom, and how' },
}

const nameOf = new Map(Object.entries(guides).map(([name, { file }]) => [basename(file), name]))

const load = lazyRequire<typeof MarkdownIt>('markdown-it')

/** The same anchors as on GitHub, because the guides use them in links: `ticket.created` is #ticketcreated. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')

/** The address of a guide's link on this server; null if the target is not served. */
function addressOf(href: string): string | null {
  if (/^(https?:|#)/.test(href)) return href
  const [path = '', heading] = href.split('#')
  const name = nameOf.get(basename(path))
  return name === undefined ? null : name + (heading ? `#${heading}` : '')
}

type Tokens = ReturnType<InstanceType<typeof MarkdownIt>['parse']>

/** Replaces a link to a file that is not served with its text. */
function redirectLinks(tokens: Tokens): void {
  const open: (string | null)[] = []
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type === 'link_open') {
      const address = addressOf(String(token.attrGet('href')))
      open.push(address)
      if (address === null) token.tag = 'span'
      token.attrs = address === null ? null : [['href', address]]
    }
    if (token.type === 'link_close' && open.pop() === null) token.tag = 'span'
  }
}

/** Replaces empty column headings, which a screen reader would announce. */
function demoteEmptyHeads(tokens: Tokens): void {
  for (const [at, { type }] of tokens.entries()) {
    if (type !== 'th_open' || tokens[at + 1]!.content !== '') continue
    tokens[at]!.tag = 'td'
    tokens[at + 2]!.tag = 'td'
  }
}

interface Heading {
  id: string
  level: number
  text: string
}

function nameHeadings(tokens: Tokens): Heading[] {
  return tokens.flatMap((token, at) => {
    if (token.type !== 'heading_open') return []
    const text = tokens[at + 1]!.children!.map(({ content }) => content).join('')
    token.attrSet('id', anchorOf(text))
    return [{ id: anchorOf(text), level: Number(token.tag.slice(1)), text }]
  })
}

/** Makes wide content scrollable, also by keyboard. */
function openMarkdown(): InstanceType<typeof MarkdownIt> {
  const markdown = new (load())()
  const { rules } = markdown.renderer
  const wide = (label: string) => `<div class="wide" role="group" aria-label="${label}" tabindex="0">`
  rules.table_open = () => `${wide('Table')}<table>`
  rules.table_close = () => '</table></div>'
  rules.fence = (tokens, at) =>
    `${wide('Example')}<pre><code>${escapeHtml(tokens[at]!.content)}</code></pre></div>`
  rules.code_block = rules.fence
  return markdown
}

export interface RenderedGuide {
  title: string
  headings: Heading[]
  html: string
}

export function renderGuide(name: string): RenderedGuide {
  const text = readFileSync(join(root, guides[name]!.file), 'utf8').replace(`${generated}\n\n`, '')
  const markdown = openMarkdown()
  const tokens = markdown.parse(text, {})
  redirectLinks(tokens)
  demoteEmptyHeads(tokens)
  const [first, ...headings] = nameHeadings(tokens)
  return {
    title: first!.text,
    headings: headings.filter(({ level }) => level === 2),
    html: markdown.renderer.render(tokens, markdown.options, {}),
  }
}
