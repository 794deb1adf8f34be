import { UserError } from '../core/user-error.ts'

/** Whole hundredths of a currency: exact, where a float would not be. */
export type Hundredths = number

/** A billion. */
const maxAmount: Hundredths = 100_000_000_000

const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits!

/** A currency's code of three letters; one with thousandths cannot be kept in hundredths. */
export function readCurrency(text: string): string {
  const code = text.toUpperCase()
  if (!Intl.supportedValuesOf('currency').includes(code))
    throw new UserError(`"${text}" is not the code of a currency, such as EUR`)
  if (decimalsOf(code) > 2) throw new UserError(`${code} has thousandths, which Deskbell cannot keep`)
  return code
}

const plain = /^([+-]?)(\d{1,10})(?:\.(\d+))?$/

/** Reads `29`, `29.5`, `29.00`: no more digits than the currency has, and no amount above a billion. */
function readAmount(text: string, currency: string): Hundredths {
  const [, sign, whole, fraction = ''] = plain.exec(text) ?? []
  if (!whole) throw new UserError(`An amount is a number such as 29.00; not "${text}"`)
  const decimals = decimalsOf(currency)
  if (fraction.length > decimals)
    throw new UserError(`An amount in ${currency} has ${decimals || 'no'} decimals; not "${text}"`)
  const hundredths = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  if (hundredths > maxAmount) throw new UserError(`An amount is a billion at most; not "${text}"`)
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

/** Of either sign, and not nothing. */
export function readSigned(text: string, currency: string): Hundredths {
  const amount = readAmount(text, currency)
  return amount === 0 ? refuse(text, 'An amount is not 0') : amount
}

/** `29.00 EUR`, or `500 JPY`. */
export const showMoney = (amount: Hundredths, currency: string): string =>
  `${(amount / 100).toFixed(decimalsOf(currency))} ${currency}`

/** On the wire: a number with two decimals at most. JSON prints the shortest that is this one. */
export const toNumber = (amount: Hundredths): number => amount / 100

/** What of a price is tax; the two are the price, whatever is rounded. */
export function splitTax(
  gross: Hundredths,
  currency: string,
  percent: number,
): { net: Hundredths; tax: Hundredths } {
  const unit = decimalsOf(currency) === 0 ? 100 : 1
  const net = Math.round((gross * 100) / (100 + percent) / unit) * unit
  return { net, tax: gross - net }
}
