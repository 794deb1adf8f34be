import { Anchor, Badge, Button, Group, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { nameInItself } from '../core/language-names.ts'
import { Page, Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Loading } from '../core/states.tsx'
import { mayDo, useProject } from '../projects/project.ts'
import { settingsQuery } from '../projects/settings.ts'
import { AddLanguage } from './add-language.tsx'
import { ArticleActions } from './article-actions.tsx'
import { ArticleDetails } from './article-details.tsx'
import { ArticleEditor } from './article-editor.tsx'
import { type ArticleDraft, draftQuery } from './queries.ts'

/**
 * A key that changes only when somebody has changed the details. A saved text or a new status keeps what is
 * typed there.
 */
const nameDetails = ({ slug, category_id, tags, is_internal }: ArticleDraft): string =>
  JSON.stringify([slug, category_id, tags, is_internal])

export default function ArticlePage() {
  const { id } = useProject()
  const { articleId = '' } = useParams({ strict: false }) as { articleId?: string }
  const { data: draft } = useQuery(draftQuery(id, articleId))
  const { data: settings } = useQuery(settingsQuery(id))
  if (!draft || !settings) return <Loading />
  return <Article key={draft.id} draft={draft} mainLocale={settings.default_locale} help={settings.slug} />
}

interface Props {
  draft: ArticleDraft
  mainLocale: string
  /** The help centre's slug. */
  help: string | null
}

function Article({ draft, mainLocale, help }: Props) {
  const { id: projectId, role } = useProject()
  const main = draft.translations.find(one => one.locale === mainLocale) ?? draft.translations[0]!
  const [chosen, setChosen] = useState(main.locale)
  const locale = draft.translations.some(one => one.locale === chosen) ? chosen : main.locale
  const shown = draft.translations.find(one => one.locale === locale)!
  const mayWrite = mayDo(role, 'admin')
  const back = `/p/${projectId}/settings/knowledge`
  return (
    <Page
      isWide
      title={main.title}
      about={<Anchor renderRoot={props => <Link to={back} {...props} />}>{pageText.knowledge.back}</Anchor>}
      actions={<Badge variant="default">{pageText.knowledge.statuses[draft.status]}</Badge>}
    >
      <Group align="flex-end" mb="md">
        <NativeSelect
          label={pageText.knowledge.language}
          value={locale}
          data={draft.translations.map(one => ({ value: one.locale, label: nameInItself(one.locale) }))}
          onChange={event => setChosen(event.currentTarget.value)}
        />
        {mayWrite && <AddLanguage draft={draft} onAdded={setChosen} />}
        {draft.status === 'published' && !draft.is_internal && help && (
          <Button component="a" variant="subtle" href={`/help/${help}/${locale}/articles/${draft.slug}`}>
            {pageText.knowledge.read}
          </Button>
        )}
      </Group>
      <Section>
        <ArticleEditor key={locale} draft={draft} shown={shown} />
      </Section>
      {mayWrite && <ArticleDetails key={nameDetails(draft)} draft={draft} />}
      {mayWrite && <ArticleActions draft={draft} back={back} />}
    </Page>
  )
}
