import type { Sql } from '../core/db/db.ts'
import { type CategoryRow, listCategories } from '../knowledge/knowledge.ts'

/** Categories as a tree. A category without an article in it or below it is left out. */
export interface Tree {
  all(): CategoryRow[]
  find(slug: string): CategoryRow | null
  childrenOf(id: string | null): CategoryRow[]
  /** The number of articles in the category and in all below it. */
  countIn(category: CategoryRow): number
}

export function buildTree(categories: CategoryRow[]): Tree {
  const byId = new Map(categories.map(one => [one.id, one]))
  const children = Map.groupBy(categories, one => one.parent_id)
  const wayUp = (category: CategoryRow): Set<CategoryRow> => {
    const path = new Set<CategoryRow>()
    for (let at: CategoryRow | undefined = category; at && !path.has(at); ) {
      path.add(at)
      at = at.parent_id === null ? undefined : byId.get(at.parent_id)
    }
    return path
  }
  const counts = new Map<string, number>()
  for (const category of categories) {
    for (const { id } of wayUp(category)) counts.set(id, (counts.get(id) ?? 0) + category.articles_count)
  }
  const countIn = (category: CategoryRow) => counts.get(category.id) ?? 0
  return {
    all: () => categories.filter(one => countIn(one) > 0),
    find: slug => categories.find(one => one.slug === slug) ?? null,
    childrenOf: id => (children.get(id) ?? []).filter(one => countIn(one) > 0),
    countIn,
  }
}

const maxCategories = 1_000

export async function loadTree(sql: Sql, projectId: string, locale: string): Promise<Tree> {
  const { items } = await listCategories(sql, projectId, { locale, page_size: maxCategories, count: false })
  return buildTree(items)
}
