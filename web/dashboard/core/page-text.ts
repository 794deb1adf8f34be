import { enPages } from './texts/en-pages.ts'

/** Texts of the settings, account and sign-in pages, which are loaded with the first of these pages. */
export const pageText = { ...enPages }
