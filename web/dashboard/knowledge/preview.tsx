import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { addressOfPicture } from './pictures.ts'
import classes from './preview.module.css'
import { knowledgeKeys } from './query-keys.ts'

/** A long text takes the server up to a second to render, so it waits for a longer pause in typing. */
const pauseFor = (markdown: string): number => (markdown.length > 20_000 ? 2_000 : 300)

const withPictures = (html: string, projectId: string): string =>
  html.replaceAll(
    /(<img [^>]*src=")([^"]*)"/gi,
    (_, before: string, src: string) => `${before}${addressOfPicture(projectId, src)}"`,
  )

/** The article as readers will see it, rendered by the help centre's renderer. */
export function ArticlePreview({ markdown, locale }: { markdown: string; locale: string }) {
  const { id: project_id } = useProject()
  const [settled] = useDebouncedValue(markdown, pauseFor(markdown))
  const { data } = useQuery({
    queryKey: knowledgeKeys.preview(settled),
    queryFn: ({ signal }) =>
      take(
        api.POST('/projects/{project_id}/knowledge/preview', {
          params: { path: { project_id } },
          body: { markdown: settled },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {pageText.knowledge.preview}
      </Text>
      {data?.html ? (
        <section
          className={classes.preview}
          lang={locale}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          aria-label={pageText.knowledge.preview}
        >
          <div dangerouslySetInnerHTML={{ __html: withPictures(data.html, project_id) }} />
        </section>
      ) : (
        <Text c="dimmed">{pageText.knowledge.previewEmpty}</Text>
      )}
    </div>
  )
}
