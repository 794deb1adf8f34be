import { useEffect, useState } from 'preact/hooks'
import { readArticle } from '../articles/articles.ts'
import { fill, text } from '../core/text.ts'
import { config } from '../session/config.ts'
import { origin } from '../session/origin.ts'
import { Avatar } from '../shell/avatar.tsx'
import { isAway } from '../tickets/presence.ts'

/** The article that the visitor has read. Operators see it too. */
function ReadArticle({ id }: { id: string }) {
  const [title, setTitle] = useState<string | null>(null)
  useEffect(() => {
    readArticle(id).then(
      article => setTitle(article.title),
      () => setTitle(null),
    )
  }, [id])
  return title && <p dir="auto">{fill(text.value.youRead, { title })}</p>
}

/** What a conversation shows before its first message: the message that the visitor answers, or a welcome. */
export function Opening() {
  const { texts, operators, name, logo_url, proactive_messages } = config.value!
  const { article_id, proactive_id } = origin.value
  const asked = proactive_messages.find(({ id }) => id === proactive_id)
  const team = operators.length ? operators : [{ name, avatar_url: logo_url }]
  const people = asked ? [asked.sender] : team
  const welcome = isAway() ? texts.away || text.value.away : texts.welcome || text.value.opening
  return (
    <div class="opening">
      <span class="faces">
        {people.map(one => (
          <Avatar key={one.name} {...one} />
        ))}
      </span>
      <p dir="auto">{asked?.text ?? welcome}</p>
      {article_id && <ReadArticle id={article_id} />}
    </div>
  )
}
