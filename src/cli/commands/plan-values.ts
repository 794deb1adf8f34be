import { type PlanChange, readCurrency, readPrice } from '../../billing/billing.ts'
import { readSwitch, UsageError } from '../parse.ts'

type Fields = Omit<Partial<PlanChange>, 'code'>

export function readCode(text: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,62}$/.test(text)) return text
  throw new UsageError(`CODE must contain only lower-case letters, digits, - and _, not "${text}"`)
}

function readNumber(option: string, text: string, what: string, least = 0): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text)
  throw new UsageError(`${option} must be ${what}, not "${text}"`)
}

const isUnlimited = (text: string): boolean => text === 'unlimited'

function readPeriod(text: string): 'month' | 'year' {
  if (text === 'month' || text === 'year') return text
  throw new UsageError(`--period must be month or year, not "${text}"`)
}

const readTrialDays = (text: string): number | null => {
  if (text === 'none') return null
  const days = readNumber('--trial-days', text, 'a number of days from 1 to 3650, or none', 1)
  if (days <= 3650) return days
  throw new UsageError(`--trial-days must be at most 3650, not "${text}"`)
}

/** The options of `plan set`, and the fields of the plan that each sets. */
export const planReaders: Record<string, (text: string) => Fields> = {
  name: text => ({ name: text }),
  tickets: text => ({
    monthly_ticket_limit: isUnlimited(text)
      ? null
      : readNumber('--tickets', text, 'a number of tickets a month, or unlimited'),
  }),
  knowledge: text => ({ features: { knowledge_base: readSwitch('--knowledge', text, ['yes', 'no']) } }),
  period: text => ({ period: readPeriod(text) }),
  seats: text => ({
    operator_seats: isUnlimited(text)
      ? null
      : readNumber('--seats', text, 'a number of operators, or unlimited', 1),
  }),
  rank: text => ({ rank: readNumber('--rank', text, 'a number; plans are sorted by it') }),
  'for-sale': text => ({ is_for_sale: readSwitch('--for-sale', text, ['yes', 'no']) }),
  entry: text => ({ is_entry: readSwitch('--entry', text, ['yes', 'no']) }),
  'trial-days': text => ({ trial_days: readTrialDays(text) }),
  becomes: text => ({ becomes: readCode(text) }),
}

export function readPricing(price: string | undefined, currency: string | undefined): Fields {
  if (price === undefined && currency === undefined) return {}
  if (price === '0') return { price: 0, currency: null }
  if (price === undefined || currency === undefined)
    throw new UsageError('A price needs a currency: --price 29.00 --currency EUR')
  const code = readCurrency(currency)
  return { price: readPrice(price, code), currency: code }
}
