import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fontStyles } from '../core/fonts/fonts.ts'

const files = ['base', 'lists', 'article']

/** The stylesheet of every page. Its address contains its hash, so browsers may cache it for ever. */
export const stylesheet = [
  fontStyles,
  ...files.map(name => readFileSync(new URL(`css/${name}.css`, import.meta.url), 'utf8')),
].join('\n')

const mark = createHash('sha256').update(stylesheet).digest('hex').slice(0, 12)

export const stylesheetPath = `/assets/help-${mark}.css`
