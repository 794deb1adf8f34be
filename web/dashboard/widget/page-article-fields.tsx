import { Button, MultiSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import type { Fields } from './look-fields.tsx'
import { PageRuleFields } from './page-rule-fields.tsx'
import { PartTitle } from './part-title.tsx'
import { type PageArticles, shownArticlesQuery } from './queries.ts'

const maxRules = 50
const maxArticles = 10

const newRule = (): PageArticles => ({ match: 'contains', address: '', article_ids: [] })

/** Which articles the chat shows first on which pages of the website. */
export function PageArticleFields({ form }: Fields) {
  const { id } = useProject()
  const { data: articles } = useQuery(shownArticlesQuery(id))
  const rules = form.getValues().page_articles
  const choices = (articles ?? []).map(({ id: value, title: label }) => ({ value, label }))
  return (
    <>
      <PartTitle about={pageText.widget.pageArticlesAbout}>{pageText.widget.pageArticles}</PartTitle>
      {rules.map(({ article_ids }, index) => (
        <PageRuleFields
          key={index}
          form={form}
          list="page_articles"
          index={index}
          name={pageText.widget.page(index + 1)}
        >
          <MultiSelect
            label={pageText.widget.articles}
            data={choices}
            disabled={!articles}
            searchable
            limit={60}
            maxValues={maxArticles}
            {...form.getInputProps(`page_articles.${index}.article_ids`)}
            value={article_ids.filter(one => choices.some(({ value }) => value === one))}
          />
        </PageRuleFields>
      ))}
      {rules.length < maxRules && (
        <Button
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => form.insertListItem('page_articles', newRule())}
        >
          {pageText.widget.addPage}
        </Button>
      )}
    </>
  )
}
