import { pages } from './pages.ts'

/** What the end of a period brings, as text. */
interface Next {
  plan: string
  day: string
  /** Null is free of charge. */
  price: string | null
  balance: string
  shortfall: string
}

export const billing = {
  title: pages.billing,
  about: 'What the project may use, and what it costs.',
  off: 'This installation sells nothing',
  offAbout: 'Everything can be used without a limit.',
  plan: 'Plan',
  trial: 'Trial',
  until: (day: string) => `Until ${day}`,
  endless: 'Without an end',
  tickets: (used: number, limit: number | null) =>
    limit === null ? `${used} tickets this month` : `${used} of ${limit} tickets this month`,
  upTo: (limit: number) => `${limit} tickets a month`,
  seats: (count: number | null) => (count === null ? 'Any number of people' : `${count} people`),
  balance: 'Balance',
  balanceIs: (amount: string) => `Balance: ${amount}`,
  comesNext: {
    renewal: ({ plan, day, price, balance }: Next) =>
      price === null
        ? `On ${day} ${plan} continues, free of charge.`
        : `On ${day} ${plan} renews for ${price}, which leaves a balance of ${balance}.`,
    choice: ({ plan, day, price, balance }: Next) =>
      price === null
        ? `On ${day} the project moves to ${plan}, as you chose.`
        : `On ${day} the project moves to ${plan} for ${price}, as you chose, which leaves a balance of ${balance}.`,
    trial_end: ({ plan, day, price, balance }: Next) =>
      price === null
        ? `On ${day} the trial ends, and the project moves to ${plan}.`
        : `On ${day} the trial ends, and ${plan} begins for ${price}, which leaves a balance of ${balance}.`,
    auto_renew_off: ({ plan, day }: Next) =>
      `On ${day} the project moves to ${plan}, because automatic renewal is off.`,
    balance_low: ({ plan, day, shortfall }: Next) =>
      `On ${day} the project moves to ${plan}, because the balance is ${shortfall} short. Top up before then.`,
  },
  happensNow: 'This takes effect immediately.',
  happensAt: (day: string) =>
    `This takes effect on ${day}, at the end of the paid period. Nothing is charged before then.`,
  taken: 'Charged to the balance',
  price: 'Price',
  balanceAfter: 'Balance afterwards',
  paidUntil: 'Paid until',
  lacksNow: (amount: string) => `The balance is ${amount} short. Top it up first.`,
  lacksThen: (amount: string) =>
    `The balance is ${amount} short. Top it up before that day, or the project moves to the entry plan.`,
  renewTitle: (plan: string) => `Renew ${plan} now?`,
  chooseTitle: (plan: string) => `Choose ${plan}?`,
  keepOne: (name: string) => `Keep ${name}`,
  autoRenew: 'Renew by itself at its end',
  renew: 'Renew now',
  renewed: 'Renewed',
  choose: 'Plans',
  chooseOne: (name: string) => `Choose ${name}`,
  current: 'Current',
  next: 'Next',
  chosen: 'Chosen',
  per: { month: 'a month', year: 'a year' },
  free: 'Free',
  topUp: 'Top up',
  amount: 'Amount',
  amountNeeded: 'Enter an amount such as 29.00.',
  way: 'Way to pay',
  ways: { offline: 'Bank transfer', stripe: 'Card' } as Record<string, string>,
  order: 'Order',
  pay: 'Pay now',
  payments: 'Payments',
  paymentStatuses: {
    pending: 'Awaiting payment',
    received: 'Received',
    failed: 'Failed',
    disputed: 'Disputed',
  },
  waitsUntil: (day: string) => `open until ${day}`,
  disputedAbout:
    'The payment differs from the order and was not credited. The administrator of this server has been notified.',
  paymentCame: (amount: string) => `Thank you. ${amount} has been added to the balance.`,
  paymentAwaited: (amount: string) =>
    `Thank you. ${amount} will be added to the balance when the payment is confirmed.`,
  paymentCancelled: 'The payment was cancelled. Nothing was charged.',
  buyer: 'Printed on receipts',
  buyerAbout: 'Receipts you have already downloaded do not change.',
  buyerName: 'Name',
  buyerAddress: 'Address',
  buyerTaxNumber: 'Tax number',
  buyerSave: 'Save',
  buyerSaved: 'Saved',
  ledger: 'Ledger',
  ledgerNone: 'No money has moved yet',
  csv: 'Download as CSV',
  receipt: (seq: number) => `Receipt of entry ${seq}`,
  causes: {
    top_up: 'Top-up',
    plan: 'Plan',
    credit: 'Credit',
    correction: 'Correction',
    refund: 'Refund',
  } as Record<string, string>,
  date: 'Date',
  what: 'What',
}

export const audit = {
  title: pages.audit,
  about: 'Who changed settings, keys, people and money, and when.',
  none: 'Nothing has been changed yet',
  noun: 'About',
  all: 'Everything',
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
  who: 'Who',
  what: 'What',
  when: 'When',
}

export const exports = {
  title: pages.exports,
  about: 'A copy of everything in this project as a .zip: one file of JSON lines for each kind of record.',
  withFiles: 'With the files of conversations',
  ask: 'Make an export',
  none: 'No exports yet',
  statuses: { waiting: 'Waiting', running: 'Being written', done: 'Ready', failed: 'Failed' },
  progress: (done: number, total: number | null) => (total ? `${done} of ${total} rows` : `${done} rows`),
  download: 'Download',
  until: (day: string) => `Until ${day}`,
  notOwn: 'Only whoever asked for it can download it.',
  asked: 'The export is being made; you may leave this page',
}
