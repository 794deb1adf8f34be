import { arAutomaticEmails as ar } from './ar.ts'
import { csAutomaticEmails as cs } from './cs.ts'
import { deAutomaticEmails as de } from './de.ts'
import { enAutomaticEmails as en } from './en.ts'
import { esAutomaticEmails as es } from './es.ts'
import { faAutomaticEmails as fa } from './fa.ts'
import { frAutomaticEmails as fr } from './fr.ts'
import { heAutomaticEmails as he } from './he.ts'
import { itAutomaticEmails as it } from './it.ts'
import { jaAutomaticEmails as ja } from './ja.ts'
import { nlAutomaticEmails as nl } from './nl.ts'
import { plAutomaticEmails as pl } from './pl.ts'
import { ptAutomaticEmails as pt } from './pt.ts'
import { ruAutomaticEmails as ru } from './ru.ts'
import type { AutomaticEmailTexts } from './shape.ts'
import { trAutomaticEmails as tr } from './tr.ts'
import { ukAutomaticEmails as uk } from './uk.ts'
import { zhAutomaticEmails as zh } from './zh.ts'

const languages: Record<string, AutomaticEmailTexts> = {
  ...{ ar, cs, de, en, es, fa, fr, he, it, ja, nl, pl, pt, ru, tr, uk, zh },
}

export const automaticEmailTexts = languages
