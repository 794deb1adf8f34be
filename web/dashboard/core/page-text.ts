import { enPages } from './texts/en-pages.ts'

/** Texts of the pages of settings, of an account and of signing in: they come with the first of these pages. */
export const pageText = { ...enPages }
