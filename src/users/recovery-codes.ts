import { randomInt } from 'node:crypto'

/** Codes to sign in without the authenticator app. People copy them by hand. */

/** Without letters that look like digits. Each code has 48 bits. */
const alphabet = '0123456789ACDEFGHJKMNPQRTVWXY'
const amount = 10
const halfLength = 5

const lookAlikes: Record<string, string> = { O: '0', I: '1', L: '1', S: '5', B: '8', Z: '2' }

const makePart = (): string =>
  Array.from({ length: halfLength }, () => alphabet[randomInt(alphabet.length)]).join('')

export const makeRecoveryCodes = (): string[] =>
  Array.from({ length: amount }, () => `${makePart()}-${makePart()}`)

/** Makes all ways of typing a code equal: lower case, spaces, other hyphens, letters instead of digits. */
const fold = (code: string): string =>
  code
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .replaceAll(/[OILSBZ]/g, letter => lookAlikes[letter]!)

/** The code that was meant, or what was typed if it matches none of them. */
export const findTypedCode = (codes: string[], typed: string): string =>
  codes.find(code => code === typed) ?? codes.find(code => fold(code) === fold(typed)) ?? typed
