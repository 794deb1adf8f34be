import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ArticleList } from '../core/records.ts'
import { go } from '../core/route.ts'
import { text } from '../core/text.ts'
import { pageUrl } from '../session/session.ts'
import { Icon } from '../shell/icon.tsx'
import { Nothing, NotLoaded } from '../shell/state.tsx'
import { findArticles } from './articles.ts'

const words = signal('')
const found = signal<ArticleList['items'] | null>(null)
const isFailed = signal(false)
/** The page of the site whose articles were found. */
let foundFor = ''

/** The latest query wins, whichever response arrives last. */
async function search(): Promise<void> {
  const asked = words.peek()
  isFailed.value = false
  try {
    const items = await findArticles(asked.trim())
    if (asked === words.peek()) found.value = items
  } catch {
    if (asked === words.peek()) isFailed.value = true
  }
}

const searchDelayMs = 250
let timer: number | undefined

function type(next: string): void {
  words.value = next
  window.clearTimeout(timer)
  timer = window.setTimeout(search, searchDelayMs)
}

function Found() {
  if (isFailed.value) return <NotLoaded again={search} />
  if (found.value?.length === 0) return words.value ? <Nothing>{text.value.nothingFound}</Nothing> : null
  return (
    <ul class="rows">
      {found.value?.map(article => (
        <li key={article.id}>
          <button type="button" class="row" onClick={() => go({ name: 'article', id: article.id })}>
            <Icon name="article" />
            <span class="row-words">
              <span class="row-title" dir="auto">
                {article.title}
              </span>
              {article.excerpt && (
                <span class="row-last" dir="auto">
                  {article.excerpt}
                </span>
              )}
            </span>
            <Icon name="forward" />
          </button>
        </li>
      ))}
    </ul>
  )
}

export function ArticleSearch() {
  const page = pageUrl.value
  useEffect(() => {
    if (found.peek() && page === foundFor) return
    foundFor = page
    void search()
  }, [page])
  return (
    <search class="card help">
      <h2>{text.value.help}</h2>
      <label class="search">
        <Icon name="search" />
        <span class="unseen">{text.value.search}</span>
        <input
          type="search"
          value={words.value}
          placeholder={text.value.search}
          onInput={event => type(event.currentTarget.value)}
        />
      </label>
      <div aria-live="polite">
        <Found />
      </div>
    </search>
  )
}
