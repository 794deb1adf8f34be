import { useEffect, useState } from 'preact/hooks'
import type { Article } from '../core/records.ts'
import { go } from '../core/route.ts'
import { text } from '../core/text.ts'
import { origin } from '../session/origin.ts'
import { Bar } from '../shell/bar.tsx'
import { Icon } from '../shell/icon.tsx'
import { Loading, NotLoaded } from '../shell/state.tsx'
import { readArticle } from './articles.ts'

/** Wide tables are scrolled on their own, also by keyboard. */
const scrollTables = (html: string): string =>
  html
    .replaceAll(
      /<table(?=[\s>])/g,
      `<div class="scroll" role="region" tabindex="0" aria-label="${text.value.table}">$&`,
    )
    .replaceAll('</table>', '</table></div>')

const Body = ({ article }: { article: Article }) => (
  <article class="prose">
    <h1 tabIndex={-1}>{article.title}</h1>
    <div
      lang={article.locale}
      dir="auto"
      dangerouslySetInnerHTML={{ __html: scrollTables(article.content_html) }}
    />
    {article.url && (
      <a class="quiet" href={article.url} target="_blank" rel="noopener">
        {text.value.newWindow} <Icon name="window" />
      </a>
    )}
  </article>
)

export function ArticlePage({ id }: { id: string }) {
  const [article, setArticle] = useState<Article | null>(null)
  const [isFailed, setFailed] = useState(false)
  const load = () => {
    setFailed(false)
    readArticle(id).then(setArticle, () => setFailed(true))
  }
  useEffect(load, [id])
  const ask = () => {
    origin.value = { article_id: id }
    go({ name: 'conversation', id: 'new' })
  }
  return (
    <main class="page">
      <Bar>
        <span class="bar-name">{text.value.articles}</span>
      </Bar>
      <div class="page-body">
        {article ? <Body article={article} /> : isFailed ? <NotLoaded again={load} /> : <Loading />}
      </div>
      <footer class="page-foot">
        <button type="button" class="quiet" onClick={ask}>
          {text.value.write}
        </button>
      </footer>
    </main>
  )
}
