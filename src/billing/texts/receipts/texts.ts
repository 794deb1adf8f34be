import { chooseTexts, type LocalTexts } from '../../../core/text/texts.ts'
import { arReceipts as ar } from './ar.ts'
import { csReceipts as cs } from './cs.ts'
import { deReceipts as de } from './de.ts'
import { enReceipts as en } from './en.ts'
import { esReceipts as es } from './es.ts'
import { faReceipts as fa } from './fa.ts'
import { frReceipts as fr } from './fr.ts'
import { heReceipts as he } from './he.ts'
import { itReceipts as it } from './it.ts'
import { jaReceipts as ja } from './ja.ts'
import { nlReceipts as nl } from './nl.ts'
import { plReceipts as pl } from './pl.ts'
import { ptReceipts as pt } from './pt.ts'
import { ruReceipts as ru } from './ru.ts'
import type { ReceiptTexts } from './shape.ts'
import { trReceipts as tr } from './tr.ts'
import { ukReceipts as uk } from './uk.ts'
import { zhReceipts as zh } from './zh.ts'

const languages: Record<string, ReceiptTexts> = {
  ...{ ar, cs, de, en, es, fa, fr, he, it, ja, nl, pl, pt, ru, tr, uk, zh },
}

export const receiptLanguages = Object.keys(languages)

/** A receipt in a language without texts is in English, and read from the left. */
export const receiptTextsOf = (locale: string): LocalTexts<ReceiptTexts> => chooseTexts(languages, locale)
