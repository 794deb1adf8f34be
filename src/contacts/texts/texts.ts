import { chooseTexts, type LocalTexts } from '../../core/text/texts.ts'
import { arIdentityMails as ar } from './ar.ts'
import { csIdentityMails as cs } from './cs.ts'
import { deIdentityMails as de } from './de.ts'
import { enIdentityMails as en } from './en.ts'
import { esIdentityMails as es } from './es.ts'
import { faIdentityMails as fa } from './fa.ts'
import { frIdentityMails as fr } from './fr.ts'
import { heIdentityMails as he } from './he.ts'
import { itIdentityMails as it } from './it.ts'
import { jaIdentityMails as ja } from './ja.ts'
import { nlIdentityMails as nl } from './nl.ts'
import { plIdentityMails as pl } from './pl.ts'
import { ptIdentityMails as pt } from './pt.ts'
import { ruIdentityMails as ru } from './ru.ts'
import type { IdentityMailTexts } from './shape.ts'
import { trIdentityMails as tr } from './tr.ts'
import { ukIdentityMails as uk } from './uk.ts'
import { zhIdentityMails as zh } from './zh.ts'

const languages: Record<string, IdentityMailTexts> = {
  ...{ ar, cs, de, en, es, fa, fr, he, it, ja, nl, pl, pt, ru, tr, uk, zh },
}

/** In the language of the contact, otherwise of the project. */
export const identityMailTextsOf = (locale: string | null): LocalTexts<IdentityMailTexts> =>
  chooseTexts(languages, locale)
