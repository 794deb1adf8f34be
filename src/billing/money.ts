import { UserError } from '../core/user-error.ts'

/** Whole hundredths of a currency, because floats are not exact. */
export type Hundredths = number

/** A billion. */
const maxAmount: Hundredths = 100_000_000_000

const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits!

/** Reads a three-letter currency code. Currencies with thousandths are rejected, because amounts are kept in hundredths. */
export function readCurrency(text: string): string {
  const code = text.toUpperCase()
  if (!Intl.supportedValuesOf('currency').includes(code))
    throw new UserError(`"${text}" is not the code of a currency such as EUR`)
  if (decimalsOf(code) > 2) throw new UserError(`${code} has three decimals, which Deskbell does not support`)
  return code
}

const plain = /^([+-]?)(\d{1,10})(?:\.(\d+))?$/

/** Reads `29`, `29.5`, `29.00`: at most as many decimals as the currency has, and at most a billion. */
function readAmount(text: string, currency: string): Hundredths {
  const [, sign, whole, fraction = ''] = plain.exec(text) ?? []
  if (!whole) throw new UserError(`An amount must be a number such as 29.00, not "${text}"`)
  const decimals = decimalsOf(currency)
  if (fraction.length > decimals)
    throw new UserError(`An amount in ${currency} has at most ${decimals || 'no'} decimals, not "${text}"`)
  const hundredths = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  if (hundredths > maxAmount) throw new UserError(`An amount must be at most a billion, not "${text}"`)
  return sign === '-' ? -hundredths : hundredths
}

function refuse(text: string, rule: string): never {
  throw new UserError(`${rule}; not "${text}"`)
}

export function readPrice(text: string, currency: string): Hundredths {
  const amount = readAmount(text, currency)
  return amount < 0 || text.startsWith('-') ? refuse(text, 'A price is 0 or more') : amount
}

export function readPositive(text: string, currency: string): Hundredths {
  const amount = readAmount(text, currency)
  return amount > 0 ? amount : refuse(text, 'An amount is more than 0')
}

/** Positive or negative, but not zero. */
export function readSigned(text: string, currency: string): Hundredths {
  const amount = readAmount(text, currency)
  return amount === 0 ? refuse(text, 'An amount is not 0') : amount
}

/** `29.00 EUR`, or `500 JPY`. */
export const showMoney = (amount: Hundredths, currency: string): string =>
  `${(amount / 100).toFixed(decimalsOf(currency))} ${currency}`

/** As in JSON: a number with at most two decimals. */
export const toNumber = (amount: Hundredths): number => amount / 100

/** Splits a price into net and tax. Their sum is always the price, in spite of rounding. */
export function splitTax(
  gross: Hundredths,
  currency: string,
  percent: number,
): { net: Hundredths; tax: Hundredths } {
  const unit = decimalsOf(currency) === 0 ? 100 : 1
  const net = Math.round((gross * 100) / (100 + percent) / unit) * unit
  return { net, tax: gross - net }
}
