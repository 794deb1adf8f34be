import type { Plural } from '../../core/text/texts.ts'

/** Every text of the help centre, with placeholders in braces. */
export interface Texts {
  helpCentre: string
  question: string
  search: string
  searchLabel: string
  searchHint: string
  skip: string
  language: string
  breadcrumbs: string
  home: string
  topics: string
  popular: string
  recent: string
  all: string
  articles: Plural
  emptyHome: string
  emptyCategory: string
  /** {date} */
  updated: string
  onThisPage: string
  table: string
  helpful: string
  yes: string
  no: string
  thanks: string
  stillNeedHelp: string
  chatWithUs: string
  emailUs: string
  related: string
  previous: string
  next: string
  /** {language}: the name of a language in that language */
  notTranslated: string
  searchTitle: string
  /** {query} */
  searchFor: string
  results: Plural
  noResults: string
  noResultsHint: string
  pages: string
  newer: string
  older: string
  /** {page}, {pages} */
  pageOf: string
  missingTitle: string
  missingText: string
  closedTitle: string
  closedText: string
  busyTitle: string
  busyText: string
  brokenTitle: string
  brokenText: string
}
