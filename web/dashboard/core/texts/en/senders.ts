import { pages } from './pages.ts'

export const senderRules = {
  title: pages.senders,
  about: 'Senders whose emails are only logged, or never marked as spam.',
  add: 'Add sender',
  search: 'Search senders',
  none: 'No senders found',
  noneAbout: 'Block senders who bother you, or allow those whose emails are wrongly marked as spam.',
  pattern: 'Address or domain',
  patternAbout: 'For example ann@example.com, or example.com for everyone at this domain and its subdomains.',
  patternNeeded: 'Enter an address or a domain.',
  verdict: 'Rule',
  verdicts: { blocked: 'Blocked', allowed: 'Always allowed' },
  byPerson: (name: string) => `by ${name}`,
  byApi: 'by an API key',
  remove: (pattern: string) => `Remove ${pattern}`,
  removed: (pattern: string) => `The rule for ${pattern} is removed.`,
  blockSender: 'Block this sender',
  blockDomain: 'Block this domain',
  allowSender: 'Always allow this sender',
  blockTitle: 'Block sender',
  wholeDomain: (domain: string) => `Everyone at ${domain}`,
  publicDomain: (domain: string) =>
    `Anyone can have an address at ${domain}. If you block it, you may miss emails from customers.`,
  effects: {
    blocked: (pattern: string) =>
      `From now on, emails from ${pattern} appear only in the mail log. They don’t become tickets or messages, and get no automatic reply. Existing tickets don’t change.`,
    allowed: (pattern: string) =>
      `From now on, emails from ${pattern} aren’t marked as spam, unless the sender can’t be verified.`,
  },
  undoAbout: 'You can remove this rule in Settings → Senders.',
  run: { blocked: 'Block', allowed: 'Always allow' },
  done: {
    blocked: (pattern: string) => `${pattern} is blocked. You can undo this in Settings → Senders.`,
    allowed: (pattern: string) => `${pattern} is always allowed. You can undo this in Settings → Senders.`,
  },
}
