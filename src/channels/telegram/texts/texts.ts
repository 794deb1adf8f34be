import { arTelegram as ar } from './ar.ts'
import { csTelegram as cs } from './cs.ts'
import { deTelegram as de } from './de.ts'
import { enTelegram as en } from './en.ts'
import { esTelegram as es } from './es.ts'
import { faTelegram as fa } from './fa.ts'
import { frTelegram as fr } from './fr.ts'
import { heTelegram as he } from './he.ts'
import { itTelegram as it } from './it.ts'
import { jaTelegram as ja } from './ja.ts'
import { nlTelegram as nl } from './nl.ts'
import { plTelegram as pl } from './pl.ts'
import { ptTelegram as pt } from './pt.ts'
import { ruTelegram as ru } from './ru.ts'
import type { TelegramTexts } from './shape.ts'
import { trTelegram as tr } from './tr.ts'
import { ukTelegram as uk } from './uk.ts'
import { zhTelegram as zh } from './zh.ts'

const languages: Record<string, TelegramTexts> = {
  ...{ ar, cs, de, en, es, fa, fr, he, it, ja, nl, pl, pt, ru, tr, uk, zh },
}

export const telegramTexts = languages
