import { pages } from './pages.ts'

/** What happens at the end of a period, as text. */
interface Next {
  plan: string
  day: string
  /** Null if the plan is free. */
  price: string | null
  balance: string
  shortfall: string
}

export const billing = {
  title: pages.billing,
  about: 'Your plan, balance and receipts',
  off: 'Billing is off',
  offAbout: 'You can use everything without limits.',
  plan: 'Plan',
  trial: 'Trial',
  until: (day: string) => `Until ${day}`,
  endless: 'No end date',
  tickets: (used: number, limit: number | null) =>
    limit === null
      ? `${used} ticket${used === 1 ? '' : 's'} this month`
      : `${used} of ${limit} tickets this month`,
  upTo: (limit: number) => `${limit} ticket${limit === 1 ? '' : 's'} per month`,
  seats: (count: number | null) =>
    count === null ? 'Unlimited people' : count === 1 ? '1 person' : `${count} people`,
  balance: 'Balance',
  balanceIs: (amount: string) => `Balance: ${amount}`,
  comesNext: {
    renewal: ({ plan, day, price, balance }: Next) =>
      price === null
        ? `${plan} continues on ${day}, free of charge.`
        : `${plan} renews on ${day} for ${price}. Your balance will be ${balance}.`,
    choice: ({ plan, day, price, balance }: Next) =>
      price === null
        ? `The project moves to ${plan} on ${day}, as you chose.`
        : `The project moves to ${plan} on ${day} for ${price}, as you chose. Your balance will be ${balance}.`,
    trial_end: ({ plan, day, price, balance }: Next) =>
      price === null
        ? `The trial ends on ${day} and the project moves to ${plan}.`
        : `The trial ends on ${day} and ${plan} starts for ${price}. Your balance will be ${balance}.`,
    auto_renew_off: ({ plan, day }: Next) =>
      `The project moves to ${plan} on ${day}, because auto-renewal is off.`,
    balance_low: ({ plan, day, shortfall }: Next) =>
      `You’re ${shortfall} short for the next renewal. Top up before ${day}, or the project moves to ${plan}.`,
  },
  happensNow: 'This takes effect right away.',
  happensAt: (day: string) =>
    `This takes effect on ${day}, when the paid period ends. You won’t be charged before then.`,
  taken: 'Deducted from balance',
  price: 'Price',
  balanceAfter: 'Balance after',
  paidUntil: 'Paid until',
  lacksNow: (amount: string) => `You’re ${amount} short. Top up first.`,
  lacksThen: (amount: string) =>
    `You’re ${amount} short. Top up before that day, or the project moves to the entry plan.`,
  renewTitle: (plan: string) => `Renew ${plan} now?`,
  chooseTitle: (plan: string) => `Choose ${plan}?`,
  keepOne: (name: string) => `Keep ${name}`,
  autoRenew: 'Renew automatically',
  renew: 'Renew now',
  renewed: 'Renewed',
  choose: 'Plans',
  chooseOne: (name: string) => `Choose ${name}`,
  current: 'Current',
  next: 'Next',
  chosen: 'Chosen',
  per: { month: 'per month', year: 'per year' },
  free: 'Free',
  topUp: 'Top up',
  amount: 'Amount',
  amountNeeded: 'Enter an amount such as 29.00.',
  way: 'Payment method',
  ways: { offline: 'Bank transfer', stripe: 'Card' } as Record<string, string>,
  order: 'Continue',
  pay: 'Pay now',
  transfer: (amount: string, day: string, reference: string) =>
    `Transfer ${amount} by ${day} with the reference ${reference}.`,
  transferTo: (account: string) => `Transfer to: ${account}`,
  payments: 'Payments',
  paymentStatuses: {
    pending: 'Awaiting payment',
    received: 'Received',
    failed: 'Failed',
    disputed: 'Disputed',
  },
  waitsUntil: (day: string) => `Pay by ${day}`,
  disputedAbout:
    'The amount doesn’t match the order, so it wasn’t credited. We’ve notified your administrator.',
  paymentCame: (amount: string) => `Thank you. We’ve added ${amount} to your balance.`,
  paymentAwaited: (amount: string) =>
    `Thank you. We’ll add ${amount} to your balance when the payment is confirmed.`,
  paymentCancelled: 'Payment cancelled. You weren’t charged.',
  buyer: 'Receipt details',
  buyerAbout: 'Receipts you’ve already downloaded don’t change.',
  buyerName: 'Name',
  buyerAddress: 'Address',
  buyerTaxNumber: 'Tax number',
  buyerSave: 'Save',
  buyerSaved: 'Saved',
  ledger: 'Transactions',
  ledgerNone: 'No transactions yet',
  csv: 'Download as CSV',
  receipt: (seq: number) => `Receipt for transaction ${seq}`,
  causes: {
    top_up: 'Top-up',
    plan: 'Plan',
    credit: 'Credit',
    correction: 'Correction',
    refund: 'Refund',
  } as Record<string, string>,
  notes: { gateway_refused_refund: 'The payment service refused the refund.' } as Record<string, string>,
  date: 'Date',
  what: 'Description',
}

export const audit = {
  title: pages.audit,
  about: 'Who changed settings, keys, people and billing, and when',
  none: 'No changes yet',
  noun: 'Area',
  all: 'All',
  from: 'From',
  nouns: {
    project: 'Project',
    operator: 'People',
    department: 'Departments',
    key: 'API keys',
    webhook: 'Webhooks',
    tag: 'Tags',
    article: 'Articles',
    category: 'Categories',
    knowledge: 'Knowledge base',
    bucket: 'Files',
    billing: 'Plan and billing',
    export: 'Exports',
  } as Record<string, string>,
  authors: { api: 'API key', cli: 'Command line', system: 'Deskbell' } as Record<string, string>,
  change: (before: string, after: string) => `${before} → ${after}`,
  nothing: '–',
  yes: 'yes',
  no: 'no',
  /** Names of details that differ from the names of their fields. */
  details: { email_is_proven: 'address confirmed' } as Record<string, string>,
  who: 'Person',
  what: 'Change',
  when: 'Time',
}

export const exports = {
  title: pages.exports,
  about:
    'Download all data in this project as a .zip, with one JSON Lines file per record type. A server administrator can import it into another project.',
  withFiles: 'Include files from conversations',
  ask: 'Create export',
  none: 'No exports yet',
  statuses: { waiting: 'Queued', running: 'In progress', done: 'Ready', failed: 'Failed' },
  reasons: {
    storage_full:
      'The server’s disk is full. Ask your administrator to free disk space, then create the export again.',
    not_written: 'The file couldn’t be written. Ask your administrator to check the server log.',
  },
  progress: (done: number, total: number | null) => (total ? `${done} of ${total} rows` : `${done} rows`),
  download: 'Download',
  until: (day: string) => `Available until ${day}`,
  notOwn: 'Only the person who created this export can download it.',
  asked: 'Export started. You can leave this page.',
}
