export { readLocale } from '../core/text/locale.ts'
export { articlePath, categoryPath, helpPath } from './addresses.ts'
export { findCategoryPath, listAddresses, listNeighbours, type PathCategory } from './article-path.ts'
export { findArticle, listArticles, listChosenArticles } from './articles.ts'
export { findCategory, listCategories } from './categories.ts'
export { type CategoryInput, ensureCategory, putCategory } from './category-tree.ts'
export { addArticleViews, recordVote } from './count.ts'
export {
  changeHelpCentre,
  findHelpCentre,
  type HelpCentre,
  type HelpCentreChange,
} from './help-centre.ts'
export { type ImportReport, importArticles } from './import.ts'
export { gatheredArticles, indexedArticles } from './indexed.ts'
export type { ArticleRow, CategoryRow, FoundArticle } from './queries.ts'
export { getDefaultLocale } from './queries.ts'
export { getArticle, requireKnowledge, toArticle } from './show.ts'
export { NoSources } from './sources.ts'
export {
  type ArticleInput,
  archiveArticle,
  deleteArticle,
  getArticleProject,
  publishArticle,
  putArticle,
} from './write.ts'
export { listWrittenArticles, type WrittenArticle } from './write-queries.ts'
