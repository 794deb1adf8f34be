import type { Db } from '../../core/db/db.ts'
import { loadTree } from '../category-tree.ts'
import { html } from '../html.ts'
import { topics } from '../lists.ts'
import { type HelpPage, homeOf, localesOf, type Visit } from '../page.ts'

/** The 404 page, with links to other pages. */
export async function showMissing(db: Db, visit: Visit): Promise<HelpPage> {
  const { texts } = visit.wording
  const tree = await loadTree(db, visit.centre.id, visit.locale)
  return {
    title: texts.missingTitle,
    place: [],
    locales: localesOf(visit.centre),
    isIndexed: false,
    body: html`<div class="problem"><h1>${texts.missingTitle}</h1>
<p class="lead">${texts.missingText}</p>
<p><a href="${homeOf(visit)}">${texts.home}</a></p></div>
${topics(visit, tree)}`,
  }
}
