import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Go } from '../core/go.tsx'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { chatStartQuery } from './queries.ts'

interface Props {
  ticketId: string
  className?: string | undefined
}

/** The article and the proactive message that a visitor of the website chat saw before writing. */
export default function ChatStart({ ticketId, className }: Props) {
  const { id: projectId } = useProject()
  const { data } = useQuery(chatStartQuery(projectId, ticketId))
  if (!data?.article && !data?.proactive_text) return null
  const { article, proactive_text } = data
  return (
    <Alert className={className} radius={0} p={6} color="gray">
      {article && (
        <span>
          {text.inbox.readArticle}{' '}
          <Go to={`/p/${projectId}/settings/knowledge/${article.id}`} lang={article.locale}>
            <bdi>{article.title}</bdi>
          </Go>{' '}
        </span>
      )}
      {proactive_text && (
        <span>
          {text.inbox.answersMessage} <q dir="auto">{proactive_text}</q>
        </span>
      )}
    </Alert>
  )
}
