import { fillPlaceholders } from '../../../core/text/texts.ts'
import { faultTexts, trialTexts } from './fault-texts.ts'

export type FaultCode = keyof typeof faultTexts
export type TrialCode = FaultCode | keyof typeof trialTexts

/** A problem of a mailbox, without a text. */
export interface Fault<Code = FaultCode> {
  code: Code
  values: Record<string, string>
}

const texts: Record<string, string> = { ...faultTexts, ...trialTexts }

/** The text in English. Errors stored by earlier builds have no values. */
export const wordFault = ({ code, values = {} }: Fault<string>): string =>
  fillPlaceholders(texts[code] ?? code, values)

export const withText = <const F extends Fault<string>>(
  fault: F,
): F & { values: Record<string, string>; text: string } => ({
  ...fault,
  values: fault.values ?? {},
  text: wordFault(fault),
})
