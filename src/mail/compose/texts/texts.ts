import { chooseTexts, type LocalTexts } from '../../../core/text/texts.ts'
import { arComposeTexts as ar } from './ar.ts'
import { csComposeTexts as cs } from './cs.ts'
import { deComposeTexts as de } from './de.ts'
import { enComposeTexts as en } from './en.ts'
import { esComposeTexts as es } from './es.ts'
import { faComposeTexts as fa } from './fa.ts'
import { frComposeTexts as fr } from './fr.ts'
import { heComposeTexts as he } from './he.ts'
import { itComposeTexts as it } from './it.ts'
import { jaComposeTexts as ja } from './ja.ts'
import { nlComposeTexts as nl } from './nl.ts'
import { plComposeTexts as pl } from './pl.ts'
import { ptComposeTexts as pt } from './pt.ts'
import { ruComposeTexts as ru } from './ru.ts'
import type { ComposeTexts } from './shape.ts'
import { trComposeTexts as tr } from './tr.ts'
import { ukComposeTexts as uk } from './uk.ts'
import { zhComposeTexts as zh } from './zh.ts'

const languages: Record<string, ComposeTexts> = {
  ...{ ar, cs, de, en, es, fa, fr, he, it, ja, nl, pl, pt, ru, tr, uk, zh },
}

export const composeTextsOf = (locale: string): LocalTexts<ComposeTexts> => chooseTexts(languages, locale)
