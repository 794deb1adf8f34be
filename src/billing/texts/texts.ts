import { chooseTexts, type LocalTexts } from '../../core/text/texts.ts'
import { enBilling as en } from './en.ts'
import type { BillingTexts } from './shape.ts'

const languages: Record<string, BillingTexts> = { en }

/** `locale` is that of the project; null for the host of the installation, who has none. */
export const billingTextsOf = (locale: string | null): LocalTexts<BillingTexts> =>
  chooseTexts(languages, locale)
